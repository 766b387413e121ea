import { episodeKinds } from '../../episodes/episode-words.ts';
import type { EpisodeKind } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { Kind } from '../../wire/wire.ts';
import type { TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { lastDigitLength } from '../../model/last-digit.ts';
import { configKeys, isOfTurn, type WhatIfForm } from '../../model/questions/what-if-form.ts';
import { isoText } from '../format/texts.ts';

/** A part of time, both ends included; null where it is open. */
export type TimeRange = Readonly<{ from: Instant | null; until: Instant | null }>;

export const allTime: TimeRange = { from: null, until: null };

export type NightFilter = Readonly<{
  range: TimeRange;
  /** Which entries of several are open, by their keys. */
  open: readonly string[];
  text: string;
  /** None: all kinds. */
  kinds: readonly EpisodeKind[];
  standing: 'all' | 'running' | 'over';
  /** What is imagined of the whole night's configuration; null where nobody asks. */
  whatIf: WhatIfForm | null;
}>;

export type SeedFilter = Readonly<{
  /** Those to which something happened then. */
  range: TimeRange;
  text: string;
  /** Names of standings (`seed-standing.ts`); none: all of them. */
  standings: readonly string[];
  order: 'consequence' | 'name' | 'since';
}>;

/** What the address names, which is all that a link has to carry. */
export type Address =
  | Readonly<{ view: 'night'; filter: NightFilter }>
  | Readonly<{ view: 'seed'; filter: SeedFilter }>
  | MachineAddress
  | Readonly<{ view: 'unknown' }>;

/** `list`: which of its turns are listed. `hash`: all of it as it stands there, with the question that it asks (`what-if-form.ts`). */
export type MachineAddress = Readonly<{
  view: 'machine';
  kind: Kind;
  subject: string;
  turn: LinkedTurn | undefined;
  range: TimeRange;
  list: Readonly<{ text: string; consequences: boolean }>;
  hash: string;
}>;

export const wholeNight: NightFilter = { range: allTime, open: [], text: '', kinds: [], standing: 'all', whatIf: null };
export const wholeSeed: SeedFilter = { range: allTime, text: '', standings: [], order: 'consequence' };

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
  const list = { text: asked.get('text') ?? '', consequences: asked.get('only') === 'consequences' };
  return { view: 'machine', kind, subject: names.join('/'), turn, range: readRange(asked), list, hash };
}

/** The address of last night, with what is not as usual of its filter. */
export function nightLink(filter: NightFilter = wholeNight): string {
  const { range, open, text, kinds, standing, whatIf } = filter;
  const state = standing === 'all' ? '' : standing;
  const asks = whatIf === null ? {} : { ask: 'whatIf', ...whatIf };
  return `#/${query({ text, kind: kinds.join(','), state, ...rangeQuery(range), open: open.join(','), ...asks })}`;
}

/** The address of the seed, with what is not as usual of its filter. */
export function seedLink(filter: SeedFilter = wholeSeed): string {
  const { range, text, standings, order } = filter;
  const by = order === wholeSeed.order ? '' : order;
  return `#/seed${query({ text, state: standings.join(','), order: by, ...rangeQuery(range) })}`;
}

/** The part of time that an address names; no view is without one. */
export function rangeOf(address: Address): TimeRange {
  switch (address.view) {
    case 'night':
    case 'seed':
      return address.filter.range;
    case 'machine':
      return address.range;
    case 'unknown':
      return allTime;
  }
}

/** What of a range stands in an address: `from=2026-11-23T12:00:00.000Z&until=…`. */
export function rangeQuery({ from, until }: TimeRange): Readonly<{ from: string; until: string }> {
  return { from: from === null ? '' : isoText(from), until: until === null ? '' : isoText(until) };
}

/** The ends of a range that cannot be read are open, and one that ends before it begins is none. */
function readRange(asked: URLSearchParams): TimeRange {
  const [from, until] = [instantIn(asked.get('from')), instantIn(asked.get('until'))];
  const isNone = (from === null && until === null) || (from !== null && until !== null && until <= from);
  return isNone ? allTime : { from, until };
}

function instantIn(text: string | null): Instant | null {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? null : instant;
}

/** Which view an address leads to, whatever else it says: where it stays the same, the page stays where it is. */
export function placeOf(address: Address): string {
  return address.view === 'machine' ? machineLink(address.kind, address.subject) : address.view;
}

function nightFilter(asked: URLSearchParams): NightFilter {
  const standing = asked.get('state');
  return {
    range: readRange(asked),
    open: listed(asked.get('open')),
    text: asked.get('text') ?? '',
    kinds: listed(asked.get('kind')).filter((kind): kind is EpisodeKind => Object.hasOwn(episodeKinds, kind)),
    standing: standing === 'running' || standing === 'over' ? standing : 'all',
    whatIf:
      asked.get('ask') === 'whatIf'
        ? Object.fromEntries(configKeys.map((key) => [key, asked.get(key) ?? '']).filter(([, text]) => text !== ''))
        : null,
  };
}

function seedFilter(asked: URLSearchParams): SeedFilter {
  const order = asked.get('order');
  return {
    range: readRange(asked),
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
  return set.length === 0 ? '' : `?${readable(new URLSearchParams(set))}`;
}

/** Commas and colons mean nothing in a query, and are read more easily as they are. */
function readable(asked: URLSearchParams): string {
  return asked.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** An address with something changed of what stands behind its `?`; what is empty goes, and all else stays. */
export function changedLink(hash: string, changes: Readonly<Record<string, string>>): string {
  const [, path = '', before = ''] = /^([^?]*)\??(.*)$/s.exec(hash) ?? [];
  return `${path}${query({ ...Object.fromEntries(new URLSearchParams(before)), ...changes })}`;
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

/** The address of another turn of the same machine: zoom, filter and question stay, but not what was imagined of the turn before. */
export function otherTurnLink(hash: string, { run, seq, at }: Pick<TurnName, 'run' | 'seq' | 'at'>): string {
  const own = [...new URLSearchParams(hash.slice(hash.indexOf('?') + 1)).keys()].filter(isOfTurn);
  const left = Object.fromEntries(own.map((name) => [name, '']));
  return changedLink(hash, { ...left, turn: `${run}.${seq}`, at: isoText(at) });
}

/** The address of a machine at an instant: the last turn that it had taken by then; null for its newest one. `range`: what is seen of its time. */
export function instantLink(kind: Kind, subject: string, at: Instant | null, range: TimeRange = allTime): string {
  return changedLink(machineLink(kind, subject), { ...rangeQuery(range), at: at === null ? '' : isoText(at) });
}

/**
 * Which turn an address names: by its name, where `at` helps to find it where there are more turns than are read at once; or the last one
 * before an instant.
 */
export type LinkedTurn =
  | Readonly<{ run: string; seq: number; at: Instant | null; before?: never }>
  | Readonly<{ before: Instant; at: Instant; run?: never; seq?: never }>;

/**
 * Reads `RUN.SEQ`; a run's own name has points, too. Undefined where it is none. Without it `at` alone names the last turn by then; a time
 * covers its last digit, as in `replay --explain`.
 */
export function readLinkedTurn(turn: string, at: string): LinkedTurn | undefined {
  const [, run, seq] = /^(.+)\.(\d+)$/.exec(turn) ?? [];
  const instant = instantIn(at);
  if (run !== undefined && seq !== undefined) return { run, seq: Number(seq), at: instant };
  return instant === null ? undefined : { before: instant + lastDigitLength(at), at: instant };
}
