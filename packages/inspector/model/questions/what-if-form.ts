import { isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { readGoDuration } from 'dependency-watchdog/domain/go-duration.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { expiresAt } from 'dependency-watchdog/domain/prober/verdict.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { leasePolicy } from 'dependency-watchdog/machines/shoot-context.ts';
import {
  failureReasons,
  fieldsOf,
  refusal,
  type Changes,
  type ImaginedAnswer,
  type ImaginedConfig,
  type Refusal,
} from './what-if-changes.ts';
import { isOfLook, isOfPaths } from './what-if-recorded.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** What an operator writes into each field; an empty text leaves all as it was. Of single leases the fields are called by `ageField`. */
export type WhatIfForm = Readonly<Record<string, string>>;

/** A node's name may be any, so its field has a name that no other has. */
export function ageField(node: string): string {
  return `age.${node}`;
}

type Read<Value> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; sentence: string }>;

/** Ten years: longer than any program runs, and no sum of it leaves the calendar. */
const longest: Millis = 315_360_000_000;

/** Far more than anybody counts to. */
const largestCount = 1_000_000;

const answerFields = { allAges: age, answer: answerIn, internal: answerIn, external: answerIn } as const;

/** How each field of the configuration is read: within the bounds of its rule (SPEC 2). */
const configFields: Readonly<Record<keyof ImaginedConfig, (text: string) => Read<number>>> = {
  nodeLeaseFailureFraction: (text) =>
    numberWithin(text, (value) => value > 0 && value <= 1, 'Write a number above 0, at most 1, such as 0.6'),
  kcmNodeMonitorGraceDuration: durationAbove0,
  probeInterval: durationAbove0,
  internalProbeFailureBackOffDuration: durationAbove0,
  failureThreshold: count,
  successThreshold: count,
};

/** The keys of the configuration that can be imagined otherwise. */
export const configKeys = Object.keys(configFields) as readonly (keyof ImaginedConfig)[];

/** Whether what an address calls so is imagined of one turn, such as the age of a lease. The configuration means the same in each. */
export function isOfTurn(name: string): boolean {
  return name.startsWith(ageField('')) || Object.hasOwn(answerFields, name);
}

/** Reads what was written. All that is wrong is told at once, each with its field and what to write instead. */
export function readForm(
  form: WhatIfForm,
): Readonly<{ ok: true; changes: Changes }> | Readonly<{ ok: false; refused: readonly Refusal[] }> {
  const refused: Refusal[] = [];
  /** Of these fields those that something can be read from. */
  function read<Value>(fields: Readonly<Record<string, (text: string) => Read<Value>>>): Map<string, Value> {
    const values = new Map<string, Value>();
    for (const [field, readText] of Object.entries(fields)) {
      const text = (form[field] ?? '').trim();
      const result = text === '' ? undefined : readText(text);
      if (result?.ok === true) values.set(field, result.value);
      if (result?.ok === false) refused.push(refusal(field, `${shown(text)} cannot be used. ${result.sentence}`));
    }
    return values;
  }

  const answers = read<Millis | null | ImaginedAnswer>(answerFields);
  const nodes = nodesOf(form);
  const ages = read(Object.fromEntries(nodes.map((node) => [ageField(node), age])));
  const config = read(configFields);
  if (refused.length > 0) return { ok: false, refused };
  const changes: Changes = {
    ...Object.fromEntries(answers),
    ...(ages.size === 0 ? {} : { ages: new Map([...ages].map(([field, value]) => [nodeOf(field), value])) }),
    ...(config.size === 0 ? {} : { config: Object.fromEntries(config) }),
  };
  return { ok: true, changes };
}

function nodeOf(field: string): string {
  return field.slice(ageField('').length);
}

function nodesOf(form: WhatIfForm): readonly string[] {
  return Object.keys(form)
    .filter((name) => name.startsWith(ageField('')))
    .map(nodeOf);
}

/** A length as Go writes it, or a number of seconds; `none` where the lease has no readable time. */
function age(text: string): Read<Millis | null> {
  if (text === 'none') return { ok: true, value: null };
  const length = duration(text);
  if (length !== undefined && Math.abs(length) <= longest) return { ok: true, value: length };
  return {
    ok: false,
    sentence: 'Write a length such as 31s or 1m5s, at most ten years, or none where it cannot be read',
  };
}

function durationAbove0(text: string): Read<Millis> {
  const length = duration(text);
  if (length !== undefined && length > 0 && length <= longest) return { ok: true, value: length };
  return { ok: false, sentence: 'Write a length above 0, at most ten years, such as 40s or 1m30s' };
}

function duration(text: string): Millis | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1_000);
  const reading = readGoDuration(text);
  return reading.ok ? reading.ms : undefined;
}

function count(text: string): Read<number> {
  const isWhole = (value: number) => Number.isInteger(value) && value >= 1 && value <= largestCount;
  return numberWithin(text, isWhole, `Write a whole number, 1 to ${largestCount}`);
}

function numberWithin(text: string, fits: (value: number) => boolean, sentence: string): Read<number> {
  const value = /^[-+]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return fits(value) ? { ok: true, value } : { ok: false, sentence };
}

function answerIn(text: string): Read<ImaginedAnswer> {
  const known = (['answered', ...failureReasons] as const).find((one) => one === text);
  if (known !== undefined) return { ok: true, value: known };
  return { ok: false, sentence: `Choose one of answered, ${failureReasons.join(', ')}` };
}

/** Anything may be pasted into a field. */
function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

const questions = ['down', 'up', 'whatIf'] as const;

export type Question = (typeof questions)[number];

/** What a link asks: which question, and what is imagined otherwise. */
export type LinkedQuestion = Readonly<{ question: Question; form: WhatIfForm }>;

/** Of single leases so many are read off a link: an address of thousands would be cut somewhere. */
const mostAges = 50;

/** The fields that a link holds. */
function linkedFields(form: WhatIfForm): readonly string[] {
  return [
    ...Object.keys(answerFields),
    ...Object.keys(configFields),
    ...nodesOf(form)
      .slice(0, mostAges)
      .map((node) => ageField(node)),
  ];
}

/** The same as fields of an address: those that are empty are to go from it. */
export function questionFields(asked: LinkedQuestion): Readonly<Record<string, string>> {
  const empty = Object.fromEntries(linkedFields(asked.form).map((name) => [name, '']));
  return { ...empty, ...Object.fromEntries(new URLSearchParams(questionQuery(asked))) };
}

/** What a turn's address needs to ask the same again: `ask=whatIf&nodeLeaseFailureFraction=0.4&age.node-a=31s`. */
export function questionQuery({ question, form }: LinkedQuestion): string {
  const query = new URLSearchParams({ ask: question });
  if (question === 'whatIf')
    for (const name of linkedFields(form)) if (form[name]?.trim()) query.set(name, form[name].trim());
  return query.toString();
}

/** Reads it off an address, from `#` on. What is wrong in it is told by the form; a question that nobody knows is the first one. */
export function readQuestion(hash: string): LinkedQuestion {
  const query = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  const question = questions.find((one) => one === query.get('ask')) ?? questions[0];
  const written = Object.fromEntries(query);
  const form = linkedFields(written).flatMap((name) =>
    Object.hasOwn(written, name) ? [[name, written[name] ?? '']] : [],
  );
  return { question, form: Object.fromEntries(form) as WhatIfForm };
}

/** What of a turn can be imagined otherwise, and how it was. */
export type Basis = Readonly<{
  /** Whose answer the turn is; `none`: only the configuration can be changed. */
  answer: 'probe' | 'look' | 'paths' | 'none';
  config: ProberConfig | undefined;
  /** Which values of the configuration can be changed. */
  fields: readonly (keyof ImaginedConfig)[];
  /** From this age on a lease is expired. */
  expiredFrom: Millis | undefined;
}>;

export function basisOf(one: ShootTurnTaken | undefined): Basis {
  const event = one?.turn.event;
  const context = one?.before?.context ?? one?.after?.context;
  const config = event !== undefined && isStarted(event) ? event.input.config : context?.config;
  const isOfProbe = event?.type === 'probe.answered' || event?.type === 'probe.failed';
  return {
    answer: isOfProbe ? 'probe' : isOfLook(event) ? 'look' : isOfPaths(event) ? 'paths' : 'none',
    config,
    fields: config === undefined ? [] : fieldsOf(config),
    expiredFrom: context === undefined ? undefined : Number(expiresAt(0, leasePolicy(context).grace)),
  };
}

/** The turn brings leases, or tells which of them count. */
export function hasLeases({ answer }: Basis): boolean {
  return answer === 'probe' || answer === 'look';
}
