import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyForm,
  questionQuery,
  readQuestion,
  type WhatIfForm,
  type LinkedQuestion,
} from '../../../src/inspector/model/questions/what-if-form.ts';

const form: WhatIfForm = {
  allAges: '31s',
  ages: new Map([
    ['node-a', '5s'],
    ['a&b=c #%', 'none'],
  ]),
  answer: 'answered',
  internal: 'timeout',
  external: 'answered',
  config: { nodeLeaseFailureFraction: '0.4', failureThreshold: '2' },
};

test('9.7 a link asks the same question again', () => {
  const asked: LinkedQuestion = { question: 'whatIf', form };
  const query = questionQuery(asked);
  expect(query).toBe(
    'ask=whatIf&allAges=31s&answer=answered&internal=timeout&external=answered&nodeLeaseFailureFraction=0.4&failureThreshold=2&age.node-a=5s&age.a%26b%3Dc+%23%25=none',
  );
  expect(readQuestion(`#/shoots/shoot--dev--one?turn=a.1&at=x&${query}`)).toEqual(asked);
  expect(questionQuery({ question: 'up', form })).toBe('ask=up');
});

test.each(['', '#/shoots/a', '#/shoots/a?ask=why', '#/shoots/a?turn=x.1&ask='])(
  '9.7 an address that asks nothing (%j) asks the first question',
  (hash) => {
    expect(readQuestion(hash)).toEqual({ question: 'down', form: emptyForm });
  },
);

test('9.7 a link of whatever node and text is read as it was written, and holds no more than 50 leases', () => {
  const text = fc.string({ minLength: 1 }).map((one) => `x${one.trim()}x`);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), text), { maxLength: 60 }), (ages) => {
      const asked = { question: 'whatIf', form: { ...emptyForm, ages: new Map(ages) } } as const;
      const read = readQuestion(`#/shoots/a?${questionQuery(asked)}`);
      expect([...read.form.ages]).toEqual([...asked.form.ages].slice(0, 50));
    }),
    { seed: 7 },
  );
});
