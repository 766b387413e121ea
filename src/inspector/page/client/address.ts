import type { Episode, EpisodeKind } from '../../../adapters/episodes/episode.ts';
import type { Kind } from '../../wire/wire.ts';
import type { TurnName } from '../../../adapters/turns/turn-name.ts';
import type { Instant } from '../../../domain/time.ts';
import { isoText } from '../format/texts.ts';
import { useEffect, useState } from 'preact/hooks';

export type NightFilter = Readonly<{
  text: string;
  /** None: all kinds. */
  kinds: readonly EpisodeKind[];
  standing: 'all' | 'running' | 'over';
}>;

export type SeedFilter = Readonly<{
  text: string;
  /** Names of standings (`seed-standing.ts`); none: all of them. */
  standings: readonly string[];
  order: 'consequence' | 'name' | 'since';
}>;

/** What the address names, which is all that a link has to carry. */
export type Address =
  | Readonly<{ view: 'night'; filter: NightFilter }>
  | Readonly<{ view: 'seed'; filter: SeedFilter }>
  | Readonly<{ view: 'machine'; kind: Kind; subject: string; turn: LinkedTurn | undefined }>
  | Readonly<{ view: 'unknown' }>;

export const wholeNight: NightFilter = { text: '', kinds: [], standing: 'all' };
export const wholeSeed: SeedFilter = { text: '', standings: [], order: 'consequence' };

/** Reads the part of an address from `#` on. What cannot be read of a filter is left out; a view that is none is `unknown`. */
export function readAddress(hash: string): Address {
  const [, path = '', query = ''] = /^#?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const asked = new URLSearchParams(query);
  const parts = decoded(path.split('/').filter((part) => part !== ''));
  const [view, ...names] = parts ?? ['unreadable'];
  if (view === undefined) return { view: 'night', filter: nightFilter(asked) };
  if (view === 'seed' && names.length === 0) return { view: 'seed', filter: seedFilter(asked) };
  const kind =
    view === 'shoots' && names.length === 1
      ? 'shoot'
      : view === 'services' && names.length === 2
        ? 'weeder'
        : undefined;
  if (kind === undefined) return { view: 'unknown' };
  const turn = readLinkedTurn(asked.get('turn') ?? '', asked.get('at') ?? '');
  return { view: 'machine', kind, subject: names.join('/'), turn };
}

/** The address of last night, with what is not as usual of its filter. */
export function nightLink(filter: NightFilter = wholeNight): string {
  const { text, kinds, standing } = filter;
  return `#/${query({ text, kind: kinds.join(','), state: standing === 'all' ? '' : standing })}`;
}

/** The address of the seed, with what is not as usual of its filter. */
export function seedLink(filter: SeedFilter = wholeSeed): string {
  const { text, standings, order } = filter;
  return `#/seed${query({ text, state: standings.join(','), order: order === wholeSeed.order ? '' : order })}`;
}

/** Which view an address leads to, whatever else it says: where it stays the same, the page stays where it is. */
export function placeOf(address: Address): string {
  return address.view === 'machine' ? machineLink(address.kind, address.subject) : address.view;
}

const episodeKinds: Readonly<Record<EpisodeKind, true>> = {
  outage: true,
  recovery: true,
  pause: true,
  refusal: true,
  bug: true,
  oddLeases: true,
  unreachable: true,
};

function nightFilter(asked: URLSearchParams): NightFilter {
  const standing = asked.get('state');
  return {
    text: asked.get('text') ?? '',
    kinds: listed(asked.get('kind')).filter((kind): kind is Episode['kind'] => Object.hasOwn(episodeKinds, kind)),
    standing: standing === 'running' || standing === 'over' ? standing : 'all',
  };
}

function seedFilter(asked: URLSearchParams): SeedFilter {
  const order = asked.get('order');
  return {
    text: asked.get('text') ?? '',
    standings: listed(asked.get('state')),
    order: order === 'name' || order === 'since' ? order : wholeSeed.order,
  };
}

function listed(text: string | null): readonly string[] {
  return (text ?? '').split(',').filter((one) => one !== '');
}

/** `?text=…&state=…` without what is empty. */
function query(values: Readonly<Record<string, string>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== '');
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString().replaceAll('%2C', ',')}`;
}

/** Undefined where a part is no encoded text: a link that somebody cut. */
function decoded(parts: readonly string[]): readonly string[] | undefined {
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

/** Where the server has a shoot or a service: `/shoots/shoot--dev--one`. */
export function machinePath(kind: Kind, subject: string): string {
  return `/${kind === 'shoot' ? 'shoots' : 'services'}/${subject.split('/').map(encodeURIComponent).join('/')}`;
}

/** The address of its page: `#/shoots/shoot--dev--one`. */
export function machineLink(kind: Kind, subject: string): string {
  return `#${machinePath(kind, subject)}`;
}

/** The address of one turn: `#/shoots/shoot--dev--one?turn=RUN.33&at=2026-11-23T12:00:44.100Z`. */
export function turnLink({ kind, subject, run, seq, at }: TurnName): string {
  return `${machineLink(kind, subject)}?turn=${encodeURIComponent(`${run}.${seq}`)}&at=${isoText(at)}`;
}

/** Which turn an address names. `at` helps to find it where there are more turns than are read at once. */
export type LinkedTurn = Readonly<{ run: string; seq: number; at: Instant | null }>;

/** Reads `RUN.SEQ`; a run's own name has points, too. Undefined where it is none. */
export function readLinkedTurn(turn: string, at: string): LinkedTurn | undefined {
  const [, run, seq] = /^(.+)\.(\d+)$/.exec(turn) ?? [];
  if (run === undefined || seq === undefined) return undefined;
  const instant = Date.parse(at);
  return { run, seq: Number(seq), at: Number.isNaN(instant) ? null : instant };
}

/** `renew` changes the address without a step in the browser's history, and so without a mark for each letter of a filter. */
const renewed = 'inspector-renewed';

/** What the address names, now and after each change of it. */
export function useAddress(): Address {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const heard = () => setHash(location.hash);
    addEventListener('hashchange', heard);
    addEventListener(renewed, heard);
    return () => {
      removeEventListener('hashchange', heard);
      removeEventListener(renewed, heard);
    };
  }, []);
  const [address, setAddress] = useState(() => ({ hash, named: readAddress(hash) }));
  if (address.hash === hash) return address.named;
  const next = { hash, named: readAddress(hash) };
  setAddress(next);
  return next.named;
}

/** Goes to an address, as a link does. */
export function goTo(link: string): void {
  location.hash = link;
}

/** Says in the address what is shown now, in the place of what it said. */
export function renewAddress(link: string): void {
  if (location.hash === link) return;
  history.replaceState(history.state, '', link);
  dispatchEvent(new Event(renewed));
}
