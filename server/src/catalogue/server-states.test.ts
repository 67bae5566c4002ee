import { describe, expect, test } from 'vitest';
import { type ServerWord, stateAt } from './server-states.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 11, 1, hour));
const word = (toldBy: 'operator' | 'game', status: 0 | 1, hour?: number): ServerWord => ({
  toldBy,
  status,
  until: hour === undefined ? null : at(hour),
});
const open = 0;
const maintenance = 1;
const at5 = (words: ServerWord[], catalogue: 0 | 1 = open) =>
  stateAt(words, catalogue, at(5).getTime());

describe('the status of a game server', () => {
  test('a server without any word has the status of the catalogue', () => {
    expect(at5([], maintenance)).toEqual({ status: 1, until: null, toldBy: 'catalogue' });
    expect(at5([])).toEqual({ status: 0, until: null, toldBy: 'catalogue' });
  });

  test('the word of an operator counts before that of the game, and that before the catalogue', () => {
    expect(at5([word('game', maintenance)])).toMatchObject({ status: 1, toldBy: 'game' });
    expect(at5([word('game', open)], maintenance)).toMatchObject({ status: 0, toldBy: 'game' });
    const both = [word('game', maintenance), word('operator', open)];
    expect(at5(both, maintenance)).toMatchObject({ status: 0, toldBy: 'operator' });
  });

  test('a maintenance with an end has it until then, and the server is open from that moment', () => {
    const until6 = [word('operator', maintenance, 6)];
    expect(at5(until6)).toEqual({ status: 1, until: at(6), toldBy: 'operator' });
    expect(stateAt(until6, open, at(6).getTime() - 1)).toMatchObject({ status: 1 });
    expect(stateAt(until6, open, at(6).getTime())).toMatchObject({ status: 0, until: null });
  });

  test('a server whose maintenance ended is open although the catalogue has it in maintenance', () => {
    expect(at5([word('operator', maintenance, 4)], maintenance)).toMatchObject({ status: 0 });
  });

  test('the report of the game counts again after the word of an operator has ended', () => {
    const words = [word('operator', open, 4), word('game', maintenance)];
    expect(at5(words)).toEqual({ status: 1, until: null, toldBy: 'game' });
  });

  test('a shorter maintenance of an operator does not hide the end of a longer one of the game', () => {
    const words = [word('operator', maintenance, 6), word('game', maintenance, 8)];
    expect(at5(words)).toMatchObject({ status: 1, until: at(8) });
    const endless = [word('operator', maintenance, 6), word('game', maintenance)];
    expect(at5(endless)).toMatchObject({ status: 1, until: null });
  });

  test('an open server has no end to show, even if an operator opened it for a time', () => {
    expect(at5([word('operator', open, 6)], maintenance)).toMatchObject({ status: 0, until: null });
  });
});
