import { describe, expect, test } from 'vitest';
import {
  allNames,
  afterMessage,
  afterAbout,
  mostEpisodes,
  nothingHeard,
  type ServerState,
} from '../../../page/client/server-state.ts';
import type { StreamEvents } from '../../../wire/wire.ts';
import { about, anEpisode, serviceRow, shootRow } from '../stage.ts';

const noon = Date.parse('2026-11-23T12:00:00Z');

const read = { turns: 99, firstAt: noon - 60_000, lastAt: noon };
const rows = (change: Partial<StreamEvents['rows']>) =>
  ({ name: 'rows', data: { now: noon, shoots: [], services: [], gone: [], read, ...change } }) as const;
const episodes = (...ids: string[]) =>
  ({ name: 'episodes', data: { episodes: ids.map((id) => anEpisode({ id })) } }) as const;
const begin = { name: 'about', data: about({ now: noon }) } as const;

const after = (...heard: Parameters<typeof afterMessage>[1][]): ServerState =>
  heard.reduce((state, one) => afterMessage(state, one, noon), nothingHeard);

describe('what the server tells is kept by its latest word', () => {
  test('rows come, change, and go', () => {
    const state = after(
      begin,
      rows({
        shoots: [shootRow({ shoot: 'a' }), shootRow({ shoot: 'b' })],
        services: [serviceRow({ service: 'a/etcd' })],
      }),
      rows({ shoots: [shootRow({ shoot: 'b', state: 'scaledDown' })], gone: ['a', 'a/etcd', 'never'] }),
    );
    expect([...state.shoots.values()]).toEqual([shootRow({ shoot: 'b', state: 'scaledDown' })]);
    expect([...state.services.keys()]).toEqual([]);
  });

  test('a stream that begins again takes the place of all that was known', () => {
    const state = after(
      begin,
      rows({ shoots: [shootRow({ shoot: 'gone meanwhile' })] }),
      episodes('forgotten there'),
      begin,
      rows({ shoots: [shootRow({ shoot: 'a' })] }),
      rows({ shoots: [shootRow({ shoot: 'b' })] }),
      episodes('x'),
      episodes('y'),
    );
    expect([...state.shoots.keys()]).toEqual(['a', 'b']);
    expect([...state.episodes.keys()]).toEqual(['x', 'y']);
  });

  test('until it has state them, what was known stays in sight', () => {
    const state = after(begin, rows({ shoots: [shootRow({ shoot: 'a' })] }), episodes('x'), begin);
    expect([...state.shoots.keys(), ...state.episodes.keys()]).toEqual(['a', 'x']);
    expect(state.begun).toEqual({ rows: false, episodes: false });
  });

  test('a question in between begins nothing afresh', () => {
    const state = afterAbout(after(begin, rows({ shoots: [shootRow({ shoot: 'a' })] })), about({ turns: 99 }), noon);
    const later = afterMessage(state, rows({ shoots: [shootRow({ shoot: 'b' })] }), noon);
    expect(later.about?.turns).toBe(99);
    expect([...later.shoots.keys()]).toEqual(['a', 'b']);
  });

  test('how many turns there are, and of which time, comes with the rows', () => {
    const state = after(begin, rows({}), rows({ read: { ...read, turns: 100, lastAt: noon + 500 } }));
    expect(state.about).toMatchObject({ turns: 100, firstAt: noon - 60_000, lastAt: noon + 500 });
  });

  test('the page is of the program that brought it, whatever answers later', () => {
    const state = afterAbout(after(begin), about({ version: '9.9.9' }), noon);
    expect([state.pageVersion, state.about?.version]).toEqual(['0.1.0', '9.9.9']);
  });

  test('all machines are known by their names', () => {
    const state = after(
      begin,
      rows({ shoots: [shootRow({ shoot: 'a' })], services: [serviceRow({ service: 'a/etcd' })] }),
    );
    expect(allNames(state)).toEqual([
      { kind: 'shoot', subject: 'a' },
      { kind: 'weeder', subject: 'a/etcd' },
    ]);
  });

  test('rows that say nothing new leave the same maps, so that nothing is drawn for them', () => {
    const before = after(begin, rows({ shoots: [shootRow({ shoot: 'a' })] }));
    const state = afterMessage(before, rows({ gone: ['never'] }), noon + 500);
    expect(state.shoots).toBe(before.shoots);
    expect(state.services).toBe(before.services);
  });

  test('an episode that goes on replaces itself', () => {
    const over = anEpisode({ id: 'x', endedAt: noon });
    const state = afterMessage(after(begin, episodes('x')), { name: 'episodes', data: { episodes: [over] } }, noon);
    expect([...state.episodes.values()]).toEqual([over]);
  });

  test('of more episodes than a page holds, the oldest are left out and counted', () => {
    const many = Array.from({ length: mostEpisodes + 3 }, (_, index) => anEpisode({ id: `${index}`, beganAt: index }));
    const state = afterMessage(after(begin), { name: 'episodes', data: { episodes: many } }, noon);
    expect(state.episodes.size).toBe(mostEpisodes);
    expect(state.forgotten).toBe(3);
    expect(['0', '2', '3', `${mostEpisodes + 2}`].map((id) => state.episodes.has(id))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
