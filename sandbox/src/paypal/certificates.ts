// The certificate library requires this import before its own.
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

export const apiHost = 'api-m.sandbox.paypal.com';
const signerName = 'messageverificationcerts.sandbox.paypal.com';

type Pair = { certificate: string; key: string };

/** A key that signs webhooks, with its certificate chain. */
export type Signer = { id: string; key: string; chain: string };

export type Certificates = {
  /** The root certificate that callers must trust. */
  root: string;
  tls: Pair;
  /** The newest signer signs; the certificates of older ones are still served. */
  signers: Signer[];
  rotate(): Promise<Signer>;
  /** Invalid signers, by what is wrong with their certificate. */
  doubtful: Record<DoubtfulKind, Signer>;
};

export const doubtfulKinds = ['expired', 'not_yet', 'other_subject', 'other_root'] as const;
type DoubtfulKind = (typeof doubtfulKinds)[number];

export function certificateUrlOf({ id }: Signer): string {
  return `https://${apiHost}/v1/notifications/certs/${id}`;
}

type Authority = { name: string; keys: webcrypto.CryptoKeyPair; certificate: x509.X509Certificate };

const curve = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const dayMs = 24 * 3600 * 1000;

/**
 * Creates a root certificate, an intermediate authority, the certificate of the API's host name,
 * and the keys that sign webhooks. The root's private key is discarded; with a folder the rest is
 * stored there, so that callers trust the same root after a restart.
 */
export async function openCertificates(
  folder: string | undefined,
  given?: string | undefined,
): Promise<Certificates> {
  const file = folder === undefined ? undefined : join(folder, 'paypal-certificates.json');
  const found = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : given;
  // Cast without validation: only this program writes the file.
  const kept: Kept = found === undefined ? await make() : JSON.parse(found);
  const signers = [...kept.signers];
  const keep = () => {
    if (folder === undefined || file === undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ ...kept, signers }), { mode: 0o600 });
    writeFileSync(join(folder, 'paypal-root.pem'), kept.root);
  };
  keep();
  return {
    ...kept,
    signers,
    rotate: async () => {
      const signer = await newSigner(await restored(kept.authority), {});
      signers.push(signer);
      keep();
      return signer;
    },
  };
}

type Kept = Pick<Certificates, 'root' | 'tls' | 'signers' | 'doubtful'> & { authority: Pair };

async function make(): Promise<Kept> {
  const root = await newAuthority('CN=Sandbox Root CA, O=Sandbox', null);
  const authority = await newAuthority('CN=Sandbox Issuing CA, O=Sandbox', root);
  const stranger = await newAuthority('CN=Sandbox Root CA, O=Sandbox', null);
  const past = { notBefore: daysFromNow(-60), notAfter: daysFromNow(-1) };
  const future = { notBefore: daysFromNow(1), notAfter: daysFromNow(60) };
  const tlsKeys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const tls = await issue(authority, { name: apiHost, keys: tlsKeys });
  return {
    root: root.certificate.toString('pem'),
    authority: {
      certificate: authority.certificate.toString('pem'),
      key: await pemOf(authority.keys),
    },
    tls: { certificate: chainOf(tls, authority), key: await pemOf(tlsKeys) },
    signers: [await newSigner(authority, {})],
    doubtful: {
      expired: await newSigner(authority, past),
      not_yet: await newSigner(authority, future),
      other_subject: await newSigner(authority, { name: 'messages.example.com' }),
      other_root: await newSigner(stranger, {}),
    },
  };
}

async function newSigner(
  authority: Authority,
  input: { name?: string; notBefore?: Date; notAfter?: Date },
): Promise<Signer> {
  const keys = await crypto.subtle.generateKey(rsa, true, ['sign', 'verify']);
  const certificate = await issue(authority, { name: signerName, ...input, keys });
  const id = `CERT-${crypto.randomUUID().slice(0, 8)}-${Date.now().toString(16)}`;
  return { id, key: await pemOf(keys), chain: chainOf(certificate, authority) };
}

async function newAuthority(name: string, above: Authority | null): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const common = {
    notBefore: daysFromNow(-1),
    notAfter: daysFromNow(3650),
    signingAlgorithm: curve,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  };
  const certificate =
    above === null
      ? await x509.X509CertificateGenerator.createSelfSigned({ name, keys, ...common })
      : await x509.X509CertificateGenerator.create({
          subject: name,
          issuer: above.name,
          publicKey: keys.publicKey,
          signingKey: above.keys.privateKey,
          ...common,
        });
  return { name, keys, certificate };
}

async function issue(
  authority: Authority,
  input: { name: string; keys: webcrypto.CryptoKeyPair; notBefore?: Date; notAfter?: Date },
): Promise<x509.X509Certificate> {
  return await x509.X509CertificateGenerator.create({
    subject: `CN=${input.name}, O="PayPal, Inc.", C=US`,
    issuer: authority.name,
    publicKey: input.keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: curve,
    notBefore: input.notBefore ?? daysFromNow(-1),
    notAfter: input.notAfter ?? daysFromNow(397),
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: input.name }]),
    ],
  });
}

async function restored({ certificate, key }: Pair): Promise<Authority> {
  const found = new x509.X509Certificate(certificate);
  const privateKey = await crypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(key),
    curve,
    true,
    ['sign'],
  );
  const publicKey = await found.publicKey.export();
  return { name: found.subject, keys: { privateKey, publicKey }, certificate: found };
}

/** The certificate followed by that of its issuer, as the provider serves them. */
function chainOf(certificate: x509.X509Certificate, { certificate: issuer }: Authority): string {
  return `${certificate.toString('pem')}\n${issuer.toString('pem')}\n`;
}

async function pemOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const der = await crypto.subtle.exportKey('pkcs8', privateKey);
  return x509.PemConverter.encode(der, x509.PemConverter.PrivateKeyTag);
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * dayMs);
}
