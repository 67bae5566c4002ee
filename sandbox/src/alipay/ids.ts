import { randomBytes, randomInt } from 'node:crypto';
import { beijing } from '../platform/beijing.ts';

export function newTradeNo(seconds: number): string {
  return `${beijing(seconds).day.replaceAll('-', '')}22001${digits(15)}`;
}

/** The id of an account entry, which has fewer digits than a trade id. */
export function newFlowId(seconds: number): string {
  return `${beijing(seconds).day.slice(2).replaceAll('-', '')}${digits(9)}`;
}

export function newNotifyId(seconds: number): string {
  return `${beijing(seconds).day.replaceAll('-', '')}01222${digits(24)}`;
}

export function newToken(): string {
  return randomBytes(16).toString('hex');
}

export function newCode(): string {
  return `bax${randomBytes(12).toString('hex')}`;
}

export function newBuyerId(): string {
  return `2088${digits(12)}`;
}

function digits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}
