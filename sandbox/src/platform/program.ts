import type { FastifyInstance } from 'fastify';
import type { CommonSettings } from './provider.ts';

/**
 * Listens, prints one line of JSON to standard output, and exits cleanly on a signal. With
 * EXIT_WITH_PARENT=1 it also exits when standard input closes, so that a killed test run leaves no
 * processes behind.
 */
export async function runProgram(input: {
  service: string;
  app: FastifyInstance;
  env: NodeJS.ProcessEnv;
}): Promise<void> {
  const { service, app, env } = input;
  await app.listen({ port: Number(env.PORT ?? 0), host: env.HOST ?? '127.0.0.1' });

  let isEnding = false;
  function end(): void {
    if (isEnding) return;
    isEnding = true;
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${service} did not shut down cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  }
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (env.EXIT_WITH_PARENT === '1') process.stdin.on('close', end).on('error', end).resume();

  // Printed last, because the reader may send a signal at once.
  const ready = { ready: true, service, url: originOf(app) };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** The loopback URL of the server, also when it listens on all interfaces. */
export function originOf(app: FastifyInstance): string {
  const [address] = app.addresses();
  if (typeof address !== 'object') throw new Error('The server is not listening on a port.');
  const isEverywhere = address.address === '0.0.0.0' || address.address === '::';
  const host = isEverywhere ? '127.0.0.1' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

export function required(env: NodeJS.ProcessEnv, key: string): string {
  const value = env[key];
  if (value === undefined || value === '') throw new Error(`${key} is not set`);
  return value;
}

export function optionalText(env: NodeJS.ProcessEnv, key: string): string | undefined {
  return env[key] === '' ? undefined : env[key];
}

/** The environment variables that every payment provider reads. */
export function commonSettings(
  env: NodeJS.ProcessEnv,
  usual: { webhookTimeoutMs: number },
): CommonSettings {
  return {
    webhookTimeoutMs: Number(env.WEBHOOK_TIMEOUT_MS ?? usual.webhookTimeoutMs),
    dataFile: optionalText(env, 'DATA_FILE'),
    publicUrl: optionalText(env, 'PUBLIC_URL'),
  };
}
