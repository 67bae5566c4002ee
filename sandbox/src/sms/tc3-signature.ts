import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type SignedRequest = {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

export type SignatureProblem =
  | 'AuthFailure.InvalidAuthorization'
  | 'AuthFailure.SecretIdNotFound'
  | 'AuthFailure.SignatureExpire'
  | 'AuthFailure.SignatureFailure';

const form =
  /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^/]+)\/([^/]+)\/tc3_request, SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/;

const toleranceSeconds = 300;

/**
 * The error of a TC3-HMAC-SHA256 signature; undefined when it is valid for exactly this request.
 */
export function signatureProblem(
  request: SignedRequest,
  account: { secretId: string; secretKey: string },
  nowSeconds: number,
): SignatureProblem | undefined {
  const parts = form.exec(header(request, 'authorization'));
  if (parts === null) return 'AuthFailure.InvalidAuthorization';
  const [, secretId = '', date = '', service = '', signedHeaders = '', signature = ''] = parts;
  if (secretId !== account.secretId) return 'AuthFailure.SecretIdNotFound';

  const timestamp = header(request, 'x-tc-timestamp');
  if (!(Math.abs(Number(timestamp) - nowSeconds) <= toleranceSeconds)) {
    return 'AuthFailure.SignatureExpire';
  }
  // The signing key is derived for one day and one service, which is the first label of the host
  // name.
  const day = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
  const isInScope = date === day && service === hostOf(request).split('.')[0];
  const names = signedHeaders.split(';');
  if (!isInScope || !names.includes('content-type') || !names.includes('host')) {
    return 'AuthFailure.SignatureFailure';
  }
  const expected = sign(request, { names, timestamp, date, service, secretKey: account.secretKey });
  const isSigned = timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(signature, 'hex'));
  return isSigned ? undefined : 'AuthFailure.SignatureFailure';
}

function sign(
  request: SignedRequest,
  by: { names: string[]; timestamp: string; date: string; service: string; secretKey: string },
): string {
  const { names, timestamp, date, service, secretKey } = by;
  const canonicalHeaders = names.map((name) => `${name}:${signedValue(request, name)}\n`).join('');
  const canonicalRequest = [
    request.method,
    request.path,
    '', // the query of a POST
    canonicalHeaders,
    names.join(';'),
    sha256(request.body),
  ].join('\n');
  const scope = `${date}/${service}/tc3_request`;
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonicalRequest)].join('\n');
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), service), 'tc3_request');
  return hmac(key, toSign).toString('hex');
}

function signedValue(request: SignedRequest, name: string): string {
  // The official client signs the host without the port.
  if (name === 'host') return hostOf(request);
  return header(request, name).trim();
}

function hostOf(request: SignedRequest): string {
  return header(request, 'host').replace(/:\d+$/, '');
}

function header({ headers }: SignedRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

const sha256 = (message: string) => createHash('sha256').update(message).digest('hex');
const hmac = (key: string | Buffer, message: string) =>
  createHmac('sha256', key).update(message).digest();
