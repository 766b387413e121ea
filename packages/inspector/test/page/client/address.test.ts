import { describe, expect, test } from 'vitest';
import {
  nightLink,
  allTime,
  changedLink,
  instantLink,
  otherTurnLink,
  placeOf,
  readAddress,
  seedLink,
  wholeNight,
  wholeSeed,
  type Address,
  type MachineAddress,
} from '../../../page/client/address.ts';

const at = Date.parse('2026-11-23T04:05:44.199Z');
const machine = (
  kind: 'shoot' | 'weeder',
  subject: string,
  more: Partial<MachineAddress> = {},
): Readonly<Partial<Address>> => ({
  view: 'machine',
  kind,
  subject,
  turn: undefined,
  range: allTime,
  list: { text: '', consequences: false },
  ...more,
});

describe('an address names a view', () => {
  test.each<[string, Readonly<Partial<Address>>]>([
    ['', { view: 'night', filter: wholeNight }],
    ['#', { view: 'night', filter: wholeNight }],
    ['#/', { view: 'night', filter: wholeNight }],
    [
      '#/?text=node+1&kind=outage,bug,nonsense,constructor&state=running',
      { view: 'night', filter: { ...wholeNight, text: 'node 1', kinds: ['outage', 'bug'], standing: 'running' } },
    ],
    ['#/?state=nonsense', { view: 'night', filter: wholeNight }],
    ['#/seed', { view: 'seed', filter: wholeSeed }],
    [
      '#/seed?state=cutOff,down&order=name',
      { view: 'seed', filter: { ...wholeSeed, standings: ['cutOff', 'down'], order: 'name' } },
    ],
    ['#/seed?order=nonsense', { view: 'seed', filter: wholeSeed }],
    ['#/seed/more', { view: 'unknown' }],
    ['#/shoots/shoot--dev--one', machine('shoot', 'shoot--dev--one')],
    ['#/shoots/a%2Fb', machine('shoot', 'a/b')],
    ['#/shoots', { view: 'unknown' }],
    ['#/services/shoot--dev--one/etcd-main-client', machine('weeder', 'shoot--dev--one/etcd-main-client')],
    ['#/services/shoot--dev--one', { view: 'unknown' }],
    ['#/shoots/%E0%A4%A', { view: 'unknown' }],
    ['#/shoots/%3Cimg%20src%3Dx%3E', machine('shoot', '<img src=x>')],
    [
      '#/shoots/one?turn=1.2-3.33&at=2026-11-23T04:05:44.199Z',
      machine('shoot', 'one', { turn: { run: '1.2-3', seq: 33, at } }),
    ],
    // A time covers its last digit.
    ['#/shoots/one?at=2026-11-23T04:05:44.199Z', machine('shoot', 'one', { turn: { before: at + 1, at } })],
    ['#/shoots/one?at=2026-11-23T04:05:44.1Z', machine('shoot', 'one', { turn: { before: at + 1, at: at - 99 } })],
    ['#/shoots/one?at=2026-11-23T04:05Z', machine('shoot', 'one', { turn: { before: at + 15_801, at: at - 44_199 } })],
    ['#/shoots/one?at=nonsense', machine('shoot', 'one')],
    [
      '#/shoots/one?from=2026-11-23T04:05:44.199Z&only=consequences&text=scale',
      machine('shoot', 'one', { range: { from: at, until: null }, list: { text: 'scale', consequences: true } }),
    ],
    [
      '#/?until=2026-11-23T04:05:44.199Z&open=a,b',
      { view: 'night', filter: { ...wholeNight, range: { from: null, until: at }, open: ['a', 'b'] } },
    ],
    [
      '#/seed?from=2026-11-23T04:05:44.199Z&until=nonsense',
      { view: 'seed', filter: { ...wholeSeed, range: { from: at, until: null } } },
    ],
    // A time that ends before it begins is none.
    ['#/?from=2026-11-23T04:05:44.199Z&until=2026-11-23T04:05:44.199Z', { view: 'night', filter: wholeNight }],
    ['#/shoots/one?turn=nonsense', machine('shoot', 'one')],
    ['#/elsewhere', { view: 'unknown' }],
  ])('%s', (hash, address) => {
    expect(readAddress(hash)).toMatchObject(address);
  });

  test.each([
    ['#/shoots/one?turn=a.1', '#/shoots/one?turn=a.2', true],
    ['#/?text=a', '#/?text=b', true],
    ['#/', '#/seed', false],
    ['#/shoots/one', '#/shoots/two', false],
  ])('%s and %s are one place: %s', (one, other, same) => {
    expect(placeOf(readAddress(one)) === placeOf(readAddress(other))).toBe(same);
  });
});

describe('a filter stands in the address, and only what is not as usual', () => {
  test.each([
    [nightLink(), '#/'],
    [
      nightLink({ ...wholeNight, text: 'a&b=c', kinds: ['outage', 'bug'], standing: 'over' }),
      '#/?text=a%26b%3Dc&kind=outage,bug&state=over',
    ],
    [seedLink(), '#/seed'],
    [
      seedLink({ ...wholeSeed, text: '#?', standings: ['cutOff'], order: 'since' }),
      '#/seed?text=%23%3F&state=cutOff&order=since',
    ],
  ])('%s', (link, expected) => {
    expect(link).toBe(expected);
  });

  test('and comes back from there', () => {
    const range = { from: at, until: at + 60_000 };
    const whatIf = { nodeLeaseFailureFraction: '0.7', probeInterval: 'what & if' };
    const filter = { open: ['outage 33'], text: 'ä, "b" 50%', kinds: ['oddLeases'], standing: 'over' } as const;
    const night = { range, ...filter, whatIf };
    const seed = { range, text: 'x+y z', standings: ['paused', 'refused'], order: 'since' } as const;
    expect(readAddress(nightLink(night))).toEqual({ view: 'night', filter: night });
    expect(readAddress(seedLink(seed))).toEqual({ view: 'seed', filter: seed });
    // An open form in which nothing is written yet; and what is no field of it.
    expect(readAddress('#/?ask=whatIf&age.a=1m')).toEqual({ view: 'night', filter: { ...wholeNight, whatIf: {} } });
  });
});

describe('what is changed of an address leaves all else as it is', () => {
  const hash =
    '#/shoots/one?turn=a.1&from=2026-11-23T04:05:44.199Z&ask=whatIf&failureThreshold=2&age.node-1=5s&allAges=1m';

  test('a field comes, changes or goes', () => {
    expect(changedLink('#/shoots/one', { text: 'a b' })).toBe('#/shoots/one?text=a+b');
    expect(changedLink('#/shoots/one?text=a&ask=up', { text: '' })).toBe('#/shoots/one?ask=up');
    expect(changedLink('#/shoots/one?text=a', { text: '' })).toBe('#/shoots/one');
  });

  test('another turn keeps the question and the configuration, and no age of a lease of the turn before', () => {
    const link = otherTurnLink(hash, { run: 'a', seq: 2, at });
    expect(link).toBe(
      '#/shoots/one?turn=a.2&from=2026-11-23T04:05:44.199Z&ask=whatIf&failureThreshold=2&at=2026-11-23T04:05:44.199Z',
    );
  });

  test('another machine at the same instant opens there', () => {
    const link = instantLink('weeder', 'one/etcd', at, { from: at, until: null });
    expect(link).toBe('#/services/one/etcd?from=2026-11-23T04:05:44.199Z&at=2026-11-23T04:05:44.199Z');
    expect(readAddress(link)).toMatchObject({ turn: { before: at + 1 }, range: { from: at } });
  });
});
