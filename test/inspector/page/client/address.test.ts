import { describe, expect, test } from 'vitest';
import {
  nightLink,
  placeOf,
  readAddress,
  seedLink,
  wholeNight,
  wholeSeed,
  type Address,
} from '../../../../src/inspector/page/client/address.ts';

const at = Date.parse('2026-11-23T04:05:44.199Z');
const machine = (kind: 'shoot' | 'weeder', subject: string): Address => ({
  view: 'machine',
  kind,
  subject,
  turn: undefined,
});

describe('an address names a view', () => {
  test.each<[string, Address]>([
    ['', { view: 'night', filter: wholeNight }],
    ['#', { view: 'night', filter: wholeNight }],
    ['#/', { view: 'night', filter: wholeNight }],
    [
      '#/?text=node+1&kind=outage,bug,nonsense,constructor&state=running',
      { view: 'night', filter: { text: 'node 1', kinds: ['outage', 'bug'], standing: 'running' } },
    ],
    ['#/?state=nonsense', { view: 'night', filter: wholeNight }],
    ['#/seed', { view: 'seed', filter: wholeSeed }],
    [
      '#/seed?state=cutOff,down&order=name',
      { view: 'seed', filter: { text: '', standings: ['cutOff', 'down'], order: 'name' } },
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
      { view: 'machine', kind: 'shoot', subject: 'one', turn: { run: '1.2-3', seq: 33, at } },
    ],
    ['#/shoots/one?turn=nonsense', machine('shoot', 'one')],
    ['#/elsewhere', { view: 'unknown' }],
  ])('%s', (hash, address) => {
    expect(readAddress(hash)).toEqual(address);
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
      nightLink({ text: 'a&b=c', kinds: ['outage', 'bug'], standing: 'over' }),
      '#/?text=a%26b%3Dc&kind=outage,bug&state=over',
    ],
    [seedLink(), '#/seed'],
    [seedLink({ text: '#?', standings: ['cutOff'], order: 'since' }), '#/seed?text=%23%3F&state=cutOff&order=since'],
  ])('%s', (link, expected) => {
    expect(link).toBe(expected);
  });

  test('and comes back from there', () => {
    const night = { text: 'ä, "b" 50%', kinds: ['oddLeases'], standing: 'over' } as const;
    const seed = { text: 'x+y z', standings: ['paused', 'refused'], order: 'since' } as const;
    expect(readAddress(nightLink(night))).toEqual({ view: 'night', filter: night });
    expect(readAddress(seedLink(seed))).toEqual({ view: 'seed', filter: seed });
  });
});
