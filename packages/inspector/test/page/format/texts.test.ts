import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { describe, expect, test } from 'vitest';
import {
  clockText,
  dayText,
  hourText,
  isoText,
  timeText,
  calmText,
  countText,
  numberText,
  unparted,
} from '../../../page/format/texts.ts';
import { machineLink, readLinkedTurn, turnLink } from '../../../page/client/address.ts';
import { stateLook } from '../../../model/states.ts';

const at = Date.parse('2026-11-23T04:05:44.199Z');

describe('instants are written so that they can be read aloud', () => {
  test.each([
    ['a time is cut, not rounded', timeText(at), '04:05:44.1'],
    ['a clock has whole seconds', clockText(at + 0.7, 'utc'), '04:05:44'],
    ['the last moment of a day is of that day', timeText(Date.parse('2026-11-23T23:59:59.999Z')), '23:59:59.9'],
    ['a day has its weekday', dayText(at, 'utc'), 'Mon 23 Nov 2026'],
    ['an hour has two digits', hourText(at, 'utc'), '04'],
    ['an address is always UTC', isoText(at), '2026-11-23T04:05:44.199Z'],
    ['what no calendar names is a number', timeText(1e17), '100000000000000000'],
    ['and so it is in an address', isoText(1e17), '100000000000000000'],
    ['nor is there an hour of it', hourText(Number.NaN, 'utc'), ''],
  ])('%s', (_, said, expected) => {
    expect(said).toBe(expected);
  });

  test('a local time is the same instant by this machine’s zone', () => {
    const here = new Date(at);
    expect(hourText(at, 'local')).toBe(String(here.getHours()).padStart(2, '0'));
    expect(timeText(at, 'local').slice(3)).toBe(`${String(here.getMinutes()).padStart(2, '0')}:44.1`);
  });
});

describe('lengths of time have their units', () => {
  test.each([
    [0, '0 s', '0 s'],
    [48, '0.05 s', '0 s'],
    [999, '1 s', '1 s'],
    [1_000, '1 s', '1 s'],
    [31_240, '31.2 s', '31 s'],
    [119_900, '119.9 s', '2m00s'],
    [125_400, '2m05s', '2m05s'],
    [3_600_000 + 4 * 60_000, '1h04m', '1h04m'],
    [27 * 3_600_000, '1d03h', '1d03h'],
    [-500, '-0.50 s', '0 s'],
    [-130_000, '-2m10s', '0 s'],
  ])('%d ms', (millis, said, calm) => {
    expect([lengthWords(millis), calmText(millis)]).toEqual([said, calm]);
  });
});

describe('numbers and names', () => {
  test.each([
    [numberText(7), '7'],
    [numberText(1_240), '1,240'],
    [numberText(1_234_567), '1,234,567'],
    [countText(1, 'shoot'), '1 shoot'],
    [countText(5_000, 'shoot'), '5,000 shoots'],
    [stateLook('shoot', 'scalingDown').word, 'scaling down'],
    [stateLook('shoot', 'constructor').word, 'constructor'],
    [stateLook('weeder', 'relapsed').word, 'relapsed'],
  ])('%s', (said, expected) => {
    expect(said).toBe(expected);
  });
});

describe('a turn has an address', () => {
  const turn = { kind: 'shoot', subject: 'shoot--dev--one', run: '1795408526281.948-9371', seq: 33, at } as const;

  test('which names it whole', () => {
    expect(turnLink(turn)).toBe('#/shoots/shoot--dev--one?turn=1795408526281.948-9371.33&at=2026-11-23T04:05:44.199Z');
  });

  test.each([
    [machineLink('weeder', 'shoot--dev--one/etcd-main-client'), '#/services/shoot--dev--one/etcd-main-client'],
    [machineLink('shoot', '<img src=x>?#'), '#/shoots/%3Cimg%20src%3Dx%3E%3F%23'],
  ])('%s', (link, expected) => {
    expect(link).toBe(expected);
  });

  test.each([
    ['1795408526281.948-9371.33', '2026-11-23T04:05:44.199Z', { run: '1795408526281.948-9371', seq: 33, at }],
    ['r.1', '', { run: 'r', seq: 1, at: null }],
    ['33', '', undefined],
    ['r.x', '', undefined],
    ['', '', undefined],
  ])('%s is read', (text, when, read) => {
    expect(readLinkedTurn(text, when)).toEqual(read);
  });
});

test.each([
  ['30.0 s old or older, 60 % are needed', '30.0\u00A0s old or older, 60\u00A0% are needed'],
  ['250 MiB, 5 min, 12 ms', '250\u00A0MiB, 5\u00A0min, 12\u00A0ms'],
  ['3 shoots, 5 seconds, 2 high', '3 shoots, 5 seconds, 2 high'],
])('9.7 a number and its unit never part: %s', (text, unbroken) => {
  expect(unparted(text)).toBe(unbroken);
});
