import { MethodElsewhere } from '@pointgate/contract/sign-in.ts';
import * as z from 'zod/mini';
import { forget, keep, readKept } from './kept.ts';

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
  keep('sessionStorage', keyOf(started.method), started);
}

/** The sign-in that was started in this tab, once; what it returns with has to fit it. */
export function takeStart(): StartedSignIn | null {
  const started = read('GOOGLE_PLAY_GAMES_AUTH') ?? read('WECHAT_AUTH');
  forgetStarts();
  return started;
}

function forgetStarts(): void {
  forget('sessionStorage', keyOf('WECHAT_AUTH'));
  forget('sessionStorage', keyOf('GOOGLE_PLAY_GAMES_AUTH'));
}

function read(method: StartedSignIn['method']): StartedSignIn | null {
  // What an older build or somebody else has written is none.
  return StartedSignIn.safeParse(readKept('sessionStorage', keyOf(method))).data ?? null;
}
