import { readGoDuration } from '../../../domain/go-duration.ts';
import type { Millis } from '../../../domain/time.ts';
import { failureReasons, refusal, type Changes, type ImaginedConfig, type Refusal } from './what-if-changes.ts';

/** What an operator writes; an empty text leaves all as it was. */
export type WhatIfForm = Readonly<{
  allAges: string;
  /** By node. */
  ages: ReadonlyMap<string, string>;
  answer: string;
  internal: string;
  external: string;
  config: Readonly<Partial<Record<keyof ImaginedConfig, string>>>;
}>;

export const emptyForm: WhatIfForm = {
  allAges: '',
  ages: new Map(),
  answer: '',
  internal: '',
  external: '',
  config: {},
};

type Read<Value> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; sentence: string }>;

/** Ten years: longer than any program runs, and no sum of it leaves the calendar. */
const longest: Millis = 315_360_000_000;

/** Far more than anybody counts to. */
const largestCount = 1_000_000;

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

const imaginedFields = Object.keys(configFields) as readonly (keyof ImaginedConfig)[];

/** Reads what was written. All that is wrong is told at once, each with its field and what to write instead. */
export function readForm(
  form: WhatIfForm,
): Readonly<{ ok: true; changes: Changes }> | Readonly<{ ok: false; refused: readonly Refusal[] }> {
  const refused: Refusal[] = [];
  function take<Value>(field: string, text: string, read: (text: string) => Read<Value>): Value | undefined {
    if (text.trim() === '') return undefined;
    const result = read(text.trim());
    if (result.ok) return result.value;
    refused.push(refusal(field, `${shown(text)} cannot be used. ${result.sentence}`));
    return undefined;
  }

  const allAges = take('allAges', form.allAges, age);
  const answer = take('answer', form.answer, answerIn);
  const internal = take('internal', form.internal, answerIn);
  const external = take('external', form.external, answerIn);
  const ages = new Map<string, Millis | null>();
  for (const [node, text] of form.ages) {
    const value = take(`age of ${node}`, text, age);
    if (value !== undefined) ages.set(node, value);
  }
  const config: Partial<Record<keyof ImaginedConfig, number>> = {};
  for (const name of imaginedFields) {
    const value = take(name, form.config[name] ?? '', configFields[name]);
    if (value !== undefined) config[name] = value;
  }
  if (refused.length > 0) return { ok: false, refused };
  return {
    ok: true,
    changes: {
      ...(allAges === undefined ? {} : { allAges }),
      ...(ages.size === 0 ? {} : { ages }),
      ...(answer === undefined ? {} : { answer }),
      ...(internal === undefined ? {} : { internal }),
      ...(external === undefined ? {} : { external }),
      ...(Object.keys(config).length === 0 ? {} : { config }),
    },
  };
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

function answerIn(text: string): Read<NonNullable<Changes['answer']>> {
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

/** A node's name may be any, so its field has a name that no other has. */
const ageField = 'age.';

const answerFields = ['answer', 'internal', 'external'] as const;

/** What a turn's address needs to ask the same again: `ask=whatIf&nodeLeaseFailureFraction=0.4&age.node-a=31s`. */
export function questionQuery({ question, form }: LinkedQuestion): string {
  const query = new URLSearchParams({ ask: question });
  const set = (name: string, text: string) => text.trim() === '' || query.set(name, text.trim());
  if (question === 'whatIf') {
    set('allAges', form.allAges);
    for (const name of answerFields) set(name, form[name]);
    for (const name of imaginedFields) set(name, form.config[name] ?? '');
    for (const [node, text] of [...form.ages].slice(0, mostAges)) set(`${ageField}${node}`, text);
  }
  return query.toString();
}

/** Reads it off an address, from `#` on. What is wrong in it is told by the form; a question that nobody knows is the first one. */
export function readQuestion(hash: string): LinkedQuestion {
  const query = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  const question = questions.find((one) => one === query.get('ask')) ?? questions[0];
  const ages = [...query].filter(([name]) => name.startsWith(ageField)).slice(0, mostAges);
  const config = imaginedFields.flatMap((name) => {
    const text = query.get(name);
    return text === null ? [] : [[name, text] as const];
  });
  const form = {
    ...emptyForm,
    allAges: query.get('allAges') ?? '',
    ...Object.fromEntries(answerFields.map((name) => [name, query.get(name) ?? ''])),
    ages: new Map(ages.map(([name, text]) => [name.slice(ageField.length), text])),
    config: Object.fromEntries(config),
  };
  return { question, form };
}
