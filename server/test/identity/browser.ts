/** A minimal browser for sign-in pages: cookies by host and path, redirects, forms. */
export interface Browser {
  /** Opens an address and follows redirects until a page or the given prefix is reached. */
  go(address: string, until?: string): Promise<Visit>;
  /** Presses a button of the page: sends its form, with the button's value. */
  press(page: Visit, button: { name: string; value: string }, until?: string): Promise<Visit>;
  /** Sends the page's form as a script on it would. */
  submit(page: Visit, until?: string): Promise<Visit>;
  cookie(address: string): string;
  /** Stores a cookie that a call has set. */
  keep(address: string, setCookie: string): void;
}

export interface Visit {
  url: URL;
  status: number;
  text: string;
  /** All cookies that were set during the redirects. */
  setCookies: string[];
}

interface Cookie {
  host: string;
  path: string;
  name: string;
  value: string;
}

const redirectsMax = 10;

export function openBrowser(): Browser {
  const cookies = new Map<string, Cookie>();

  function keep(address: string, setCookie: string): void {
    const [pair = '', ...attributes] = setCookie.split(';').map((part) => part.trim());
    const [name = ''] = pair.split('=', 1);
    const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? '/';
    const cookie = { host: new URL(address).host, path, name, value: pair.slice(name.length + 1) };
    const key = `${cookie.host} ${path} ${name}`;
    if (cookie.value === '') cookies.delete(key);
    else cookies.set(key, cookie);
  }

  function cookie(address: string): string {
    const { host, pathname } = new URL(address);
    return [...cookies.values()]
      .filter(
        (one) => one.host === host && `${pathname}/`.startsWith(one.path.replace(/\/?$/, '/')),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  async function visit(
    address: string,
    {
      until,
      form,
      isCrossSite = false,
    }: { until: string | undefined; form?: string; isCrossSite?: boolean },
  ): Promise<Visit> {
    const setCookies: string[] = [];
    let url = new URL(address);
    let body = form;
    for (let hops = 0; hops < redirectsMax; hops += 1) {
      // A cross-site form post sends no SameSite=Lax cookies; the following redirect does.
      const sent = body !== undefined && isCrossSite ? '' : cookie(url.href);
      const reply = await fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(sent === '' ? {} : { cookie: sent }),
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(isCrossSite ? { 'sec-fetch-site': 'cross-site' } : {}),
        },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
      });
      for (const setCookie of reply.headers.getSetCookie()) {
        keep(url.href, setCookie);
        setCookies.push(setCookie);
      }
      const text = await reply.text();
      const location = reply.headers.get('location');
      if (location === null) return { url, status: reply.status, text, setCookies };
      url = new URL(location, url);
      body = undefined;
      if (until !== undefined && url.href.startsWith(until)) {
        return { url, status: reply.status, text: '', setCookies };
      }
    }
    throw new Error(`redirect loop at ${url.href}`);
  }

  const send = (page: Visit, more: Record<string, string>, until: string | undefined) => {
    const { action, fields } = formOf(page);
    const form = new URLSearchParams({ ...fields, ...more }).toString();
    return visit(action.href, { until, form, isCrossSite: action.host !== page.url.host });
  };

  return {
    go: (address, until) => visit(address, { until }),
    press: (page, { name, value }, until) => send(page, { [name]: value }, until),
    submit: (page, until) => send(page, {}, until),
    cookie,
    keep,
  };
}

/** The one form of a page. */
export function formOf(page: Visit): { action: URL; fields: Record<string, string> } {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(page.text) ?? [];
  if (action === undefined) throw new Error(`no form at ${page.url.href}: ${page.text}`);
  const inputs = page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = Object.fromEntries(
    [...inputs].map(([, name = '', value = '']) => [unescaped(name), unescaped(value)]),
  );
  return { action: new URL(unescaped(action), page.url), fields };
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
