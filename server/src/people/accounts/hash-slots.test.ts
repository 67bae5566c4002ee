import { expect, test } from 'vitest';
import { openHashSlots } from './hash-slots.ts';

function givenSlots(max: { atOnce: number; strangersWaitingMax: number }) {
  const slots = openHashSlots(max);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, isKnown = false) =>
    slots({ isKnown }, async () => {
      running.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      running.splice(running.indexOf(name), 1);
    });
  const end = async (name: string, work: Promise<void> | undefined) => {
    ends.get(name)?.();
    await work;
  };
  return { begin, end, running };
}

test('the shop computes at most a configured number of password hashes at the same time, and the others wait', async () => {
  const { begin, end, running } = givenSlots({ atOnce: 2, strangersWaitingMax: 10 });
  const works = ['a', 'b', 'c'].map((name) => begin(name));
  await Promise.resolve();
  expect(running).toEqual(['a', 'b']);
  await end('a', works[0]);
  expect(running).toEqual(['b', 'c']);
  await end('b', works[1]);
  await end('c', works[2]);
  expect(running).toEqual([]);
});

test('a sign-in from a known network or browser gets its password hash computed before earlier sign-ins from unknown ones', async () => {
  const { begin, end, running } = givenSlots({ atOnce: 1, strangersWaitingMax: 10 });
  const first = begin('first');
  const stranger = begin('stranger');
  const owner = begin('owner', true);
  await end('first', first);
  expect(running).toEqual(['owner']);
  await end('owner', owner);
  expect(running).toEqual(['stranger']);
  await end('stranger', stranger);
});

test('when too many sign-ins wait for a password hash, only those from unknown networks and browsers get SystemBusy', async () => {
  const { begin, end } = givenSlots({ atOnce: 1, strangersWaitingMax: 1 });
  const first = begin('first');
  const waiting = begin('waiting');
  await expect(begin('refused')).rejects.toMatchObject({ code: 'SystemBusy' });
  const owner = begin('owner', true);
  await end('first', first);
  await end('owner', owner);
  await end('waiting', waiting);
});
