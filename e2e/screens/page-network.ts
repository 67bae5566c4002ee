import type { Page, Request } from '@playwright/test';
import { z } from 'zod';
import { patienceMs, settle } from './inspection.ts';
import type { TestPage } from './screen.ts';

// Requests that never end or whose end is not seen: events sent while a page unloads, and the
// stream of changes to an order.
const endless = /\/api\/(log\/collect|payment\/order\/changes\/)/;

const Reply = z.looseObject({ data: z.looseObject({}) });

/** Wraps a page into a testPage with control over its network. */
export function controlNetwork(
  page: Page,
  given: Pick<TestPage, 'shop' | 'address' | 'orders'>,
): TestPage {
  const held: RegExp[] = [];
  const waiting = new Set<Request>();
  const isHeld = (request: Request) => held.some((address) => address.test(request.url()));
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear();
    if (!endless.test(request.url())) waiting.add(request);
  });
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  const open = () => [...waiting].filter((request) => !isHeld(request));
  return {
    ...given,
    page,
    untilIdle: async () => {
      const endsAt = Date.now() + patienceMs;
      // Rendering an answer may start further requests.
      do {
        await settle(page);
        if (Date.now() > endsAt)
          throw new Error(`Still loading: ${open().map((one) => one.url())}`);
      } while (open().length > 0);
    },
    hold: async (address) => {
      held.push(address);
      await page.route(address, () => new Promise(() => {}));
    },
    cut: async (address) => {
      await page.route(address, (route) => route.abort());
    },
    refuse: async (address, code, data) => {
      const json = { isSuccess: false, code, msg: code, data: data ?? null };
      await page.route(address, (route) => route.fulfill({ json }));
    },
    modifyReplies: async (address, change) => {
      await page.route(address, async (route) => {
        const response = await route.fetch(await byNumber(page, route.request()));
        const reply = Reply.parse(await response.json());
        await route.fulfill({ response, json: { ...reply, data: change(reply.data) } });
      });
    },
  };
}

/**
 * Node does not resolve names below `localhost` as browsers do, so the request goes to 127.0.0.1.
 */
async function byNumber(page: Page, request: Request) {
  const url = new URL(request.url());
  const { host } = url;
  const cookies = await page.context().cookies(request.url());
  url.hostname = '127.0.0.1';
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return { url: url.href, headers: { ...request.headers(), host, cookie } };
}
