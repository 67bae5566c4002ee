import { MethodElsewhere } from '@pointgate/contract/sign-in.ts';
import * as z from 'zod/mini';

const StartedSignIn = z.strictObject({
  method: MethodElsewhere,
  /** Made by the server, and handed back by the provider. */
  state: z.string(),
  /** Where the player wanted to go. */
  back: z.string(),
});
export type StartedSignIn = z.output<typeof StartedSignIn>;

// WeChat has a place of its own, because it returns to any page and not only to ours.
const keyOf = (method: StartedSignIn['method']) =>
  method === 'WECHAT_AUTH' ? 'pointgate.wechat-state' : 'pointgate.provider-state';

/** For this tab only: another tab may be on its way to another provider. */
export function rememberStart(started: StartedSignIn): void {
  forgetStarts();
  sessionStorage.setItem(keyOf(started.method), JSON.stringify(started));
}

/** The sign-in that was started in this tab, once; what it returns with has to fit it. */
export function takeStart(): StartedSignIn | null {
  const started = read('GOOGLE_PLAY_GAMES_AUTH') ?? read('WECHAT_AUTH');
  forgetStarts();
  return started;
}

function forgetStarts(): void {
  sessionStorage.removeItem(keyOf('WECHAT_AUTH'));
  sessionStorage.removeItem(keyOf('GOOGLE_PLAY_GAMES_AUTH'));
}

function read(method: StartedSignIn['method']): StartedSignIn | null {
  try {
    const text = sessionStorage.getItem(keyOf(method));
    return text === null ? null : StartedSignIn.parse(JSON.parse(text));
  } catch {
    return null; // Written by an older build, or by somebody else.
  }
}
