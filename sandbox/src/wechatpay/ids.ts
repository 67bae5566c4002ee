import { randomBytes, randomInt } from 'node:crypto';
import { beijing } from '../platform/beijing.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function randomText(length: number): string {
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}

export function newTransactionId(seconds: number): string {
  return `4200${digits(6)}${dayDigits(seconds)}${digits(10)}`;
}

export function newRefundId(seconds: number): string {
  return `5030${digits(7)}${dayDigits(seconds)}${digits(10)}`;
}

export function newFlowId(seconds: number): string {
  return `1000${digits(7)}${dayDigits(seconds)}${digits(10)}`;
}

export function newPrepayId(seconds: number): string {
  const { day, time } = beijing(seconds);
  return `wx${day.replaceAll('-', '')}${time.replaceAll(':', '')}${randomBytes(10).toString('hex')}`;
}

function digits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}

function dayDigits(seconds: number): string {
  return beijing(seconds).day.replaceAll('-', '');
}
