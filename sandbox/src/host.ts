// Runs any number of sandbox services in one process; each is opened on request with its own port
// and its own records. Test suites that need a fresh service for every file start this process
// once.
import { type FastifyInstance, fastify } from 'fastify';
import { originOf, runProgram } from './platform/program.ts';
import { controlBody, explainMalformedCalls, keepBodiesAsText } from './platform/requests.ts';
import { name, object, oneOf, textRecord } from './platform/shape.ts';
import { type Service, services } from './services.ts';

const names = Object.keys(services) as Service[];
const openBody = object({ service: oneOf(names), env: textRecord });
const closeBody = object({ url: name });

function createHost(): FastifyInstance {
  const opened = new Map<string, FastifyInstance>();
  const app = fastify({ forceCloseConnections: true });
  keepBodiesAsText(app);
  explainMalformedCalls(app);
  app.post('/open', async (request) => {
    const { service, env } = controlBody(request, openBody);
    const server = await services[service](env);
    await server.listen({ port: Number(env.PORT ?? 0), host: '127.0.0.1' });
    const url = originOf(server);
    opened.set(url, server);
    return { url };
  });
  app.post('/close', async (request) => {
    const { url } = controlBody(request, closeBody);
    await opened.get(url)?.close();
    opened.delete(url);
    return { ok: true };
  });
  app.addHook('preClose', async () => {
    await Promise.all([...opened.values()].map((server) => server.close()));
  });
  return app;
}

await runProgram({ service: 'host', env: process.env, app: createHost() });
