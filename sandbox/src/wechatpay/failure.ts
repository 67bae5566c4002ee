export type FailureBody = { code: string; message: string; detail?: object };

/** An error in the response format of the provider. */
export class WechatFailure extends Error {
  readonly status: number;
  readonly body: FailureBody;

  constructor(status: number, body: FailureBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** A parameter of the order is malformed. */
export function invalid(field: string, issue: string): WechatFailure {
  return new WechatFailure(400, {
    code: 'PARAM_ERROR',
    message: '参数错误',
    detail: { field, issue, location: 'body' },
  });
}

/** The request is well formed, but the current state or the provider's rules forbid it. */
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
