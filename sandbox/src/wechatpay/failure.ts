export type FailureBody = { code: string; message: string; detail?: object };

/** A refusal in the provider's own envelope. */
export class WechatFailure extends Error {
  readonly status: number;
  readonly body: FailureBody;

  constructor(status: number, body: FailureBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** Something was sent that no order could have. */
export function invalid(field: string, issue: string): WechatFailure {
  return new WechatFailure(400, {
    code: 'PARAM_ERROR',
    message: '参数错误',
    detail: { field, issue, location: 'body' },
  });
}

/** What was sent is well formed, and the state of things or the rules forbid it. */
export function refused(code: string, message: string, status = 400): WechatFailure {
  return new WechatFailure(status, { code, message });
}

export function badSignature(message: string, issue: string): WechatFailure {
  return new WechatFailure(401, {
    code: 'SIGN_ERROR',
    message,
    detail: { field: 'signature', issue, location: 'authorization' },
  });
}

export const systemError: FailureBody = {
  code: 'SYSTEM_ERROR',
  message: '系统异常，请稍后重试',
};
