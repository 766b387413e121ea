import { emptyForm, imaginedFields, type WhatIfForm } from './what-if-form.ts';

export const questions = ['down', 'up', 'whatIf'] as const;

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
