/** An error in the response format of the provider. */
export class AlipayFailure extends Error {
  readonly content: Record<string, string>;

  constructor(input: { code: string; msg: string; subCode: string; subMsg: string }) {
    super(input.subCode);
    const { code, msg, subCode, subMsg } = input;
    this.content = { code, msg, sub_code: subCode, sub_msg: subMsg };
  }
}

/** The request is well formed, but the current state or the provider's rules forbid it. */
export function refused(subCode: string, subMsg: string): AlipayFailure {
  return new AlipayFailure({ code: '40004', msg: 'Business Failed', subCode, subMsg });
}

/** A parameter of the call is malformed. */
export function invalid(subCode: string, subMsg: string): AlipayFailure {
  return new AlipayFailure({ code: '40002', msg: 'Invalid Arguments', subCode, subMsg });
}

export const unavailable = {
  code: '20000',
  msg: 'Service Currently Unavailable',
  sub_code: 'isp.unknow-error',
  sub_msg: '系统繁忙',
};

export const systemError = {
  code: '40004',
  msg: 'Business Failed',
  sub_code: 'ACQ.SYSTEM_ERROR',
  sub_msg: '系统异常',
};
