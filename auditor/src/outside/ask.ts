import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { reasonOf } from '../reason.ts';
import { NoAnswer } from './no-answer.ts';

/** The real host and its certificate authority, if a sandbox stands in for the named host. */
interface Route {
  host: string;
  port: number;
  rootCertificate: string;
}

export interface Question {
  url: string;
  method: 'GET' | 'POST';
  /** Computed for each attempt, because a signature contains a time. */
  headers: () => Record<string, string>;
  body?: string;
  route?: Route | undefined;
}

export interface Reply {
  status: number;
  body: string;
}

const timeoutMs = 20_000;
const bytesMax = 16 * 1024 * 1024;
const triesMax = 3;
const pauseMs = 500;

/** Sends a read-only request and retries it without an answer. Does not follow redirects. */
export async function ask(question: Question, tries = 1): Promise<Reply> {
  const isLast = tries >= triesMax;
  try {
    const reply = await exchange(question);
    const isTransient = reply.status === 429 || reply.status >= 500;
    if (!isTransient || isLast) return reply;
  } catch (error) {
    if (isLast) throw new NoAnswer(reasonOf(error));
  }
  await setTimeout(pauseMs * tries);
  return await ask(question, tries + 1);
}

/** The same, and treats any other status as an error. */
export async function askFor(status: number, question: Question): Promise<string> {
  const reply = await ask(question);
  if (reply.status !== status) throw new NoAnswer(`HTTP ${reply.status}`);
  return reply.body;
}

async function exchange({ url, method, headers, body, route }: Question): Promise<Reply> {
  const send = new URL(url).protocol === 'https:' ? requestOverTls : requestPlain;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = send(url, {
      method,
      headers: headers(),
      signal: AbortSignal.timeout(timeoutMs),
      ...(route === undefined ? {} : { createConnection: () => connectTo(route, url) }),
    });
    sent.once('response', resolve).once('error', reject).end(body);
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`a reply of more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return { status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
}

function connectTo({ host, port, rootCertificate: ca }: Route, url: string) {
  return connect({ host, port, servername: new URL(url).hostname, ca });
}
