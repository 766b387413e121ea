import { roughSize } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { hideSecretsInJson } from 'dependency-watchdog/adapters/words/secrets.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Language, PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import { machineJson } from '../model/charts/chart-texts.ts';
import type { MachineName } from '../wire/wire.ts';
import { asksOnly, BadQuery } from './queries.ts';

/** The version of `@statelyai/inspect` that speaks in these messages; a test compares them with its own. */
const version = '0.7.2';

/** In characters. The context, or the event, of what is larger is left out; that of a shoot with 1,000 nodes has a fifth of it. */
const longestMessage = 1_048_576;

/** A turn, as far as these messages tell it. */
export type StatelyTurn = MachineName &
  Readonly<{
    seq: number;
    at: Instant;
    event: Readonly<{ type: string; because?: 'gone' | 'bug'; error?: string }>;
    after: PlainOf<Language> | undefined;
  }>;

/** What Stately's inspector calls an actor: one machine. */
export function sessionOf({ kind, subject }: MachineName): string {
  return `${kind}:${subject}`;
}

/** Makes a machine known, with where it stands. */
export function actorMessage(machine: MachineName, at: Instant, stands: PlainOf<Language> | undefined): string {
  return message(machine, at, {
    type: '@xstate.actor',
    id: null,
    name: machine.subject,
    definition: machineJson[machine.kind],
    snapshot: snapshotOf(stands, 'active'),
  });
}

/** One turn: the event that came, and the snapshot that followed. */
export function turnMessages(turn: StatelyTurn): readonly string[] {
  const { seq, at, event, after } = turn;
  const told = fits(event) ? event : { type: event.type, at, leftOut: tooLong };
  const status = event.type !== 'ended' ? 'active' : event.because === 'bug' ? 'error' : 'done';
  const snapshot = { ...snapshotOf(after, status), ...(event.error === undefined ? {} : { error: event.error }) };
  return [
    message(turn, at, { type: '@xstate.event', id: String(seq), event: told }),
    message(turn, at, { type: '@xstate.snapshot', id: null, event: told, snapshot }),
  ];
}

const tooLong = `more than ${longestMessage} characters`;

/** As XState writes a machine's snapshot. */
function snapshotOf(stands: PlainOf<Language> | undefined, status: 'active' | 'done' | 'error') {
  if (stands === undefined) return { status };
  const { value, context } = stands;
  const told = fits(context) ? context : { leftOut: tooLong };
  return { status, value, context: told, children: {}, historyValue: {}, tags: [] };
}

function fits(value: unknown): boolean {
  return roughSize(value, longestMessage) <= longestMessage;
}

function message(machine: MachineName, at: Instant, fields: Readonly<Record<string, unknown>>): string {
  const sessionId = sessionOf(machine);
  // No machine of ours is another's child, so each is its own root.
  const all = { ...fields, sessionId, rootId: sessionId, createdAt: String(Math.trunc(at)), _version: version };
  return hideSecretsInJson(JSON.stringify(all));
}

/** The machines that a reader asked for; undefined for all. */
export type StatelyChoice = readonly MachineName[] | undefined;

/** One reader may follow so many machines. Stately's page draws each of them. */
export const mostFollowed = 100;

/** `?shoot=NAME&service=NAMESPACE/NAME`, each as often as one likes. Throws BadQuery. */
export function statelyChoice(query: URLSearchParams, others: readonly string[] = []): StatelyChoice {
  asksOnly(query, 'shoot', 'service', ...others);
  const chosen: readonly MachineName[] = [
    ...query.getAll('shoot').map((subject) => ({ kind: 'shoot', subject }) as const),
    ...query.getAll('service').map((subject) => ({ kind: 'weeder', subject }) as const),
  ];
  if (chosen.length > mostFollowed) throw new BadQuery(`at most ${mostFollowed} machines are told at once`);
  return chosen.length === 0 ? undefined : chosen;
}
