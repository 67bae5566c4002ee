import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body parsed as JSON; throws if it is not JSON. */
  json(): unknown;
}

/** A raw request: unlike `fetch` it can send any host name, header and byte. */
export async function callRaw(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<RawReply> {
  return await new Promise((resolve, reject) => {
    const { hostname, port, origin } = new URL(url);
    // The path is sent as given, because URL would normalise it.
    const path = url.slice(origin.length) || '/';
    const sent = request({ hostname, port, path, method, headers, agent: false }, async (reply) => {
      try {
        const text = Buffer.concat(await reply.toArray()).toString();
        const { statusCode = 0, headers: received } = reply;
        resolve({ status: statusCode, headers: received, text, json: () => JSON.parse(text) });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
