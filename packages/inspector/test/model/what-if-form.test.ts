import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isOfTurn,
  readForm,
  questionFields,
  questionQuery,
  readQuestion,
  type LinkedQuestion,
} from '../../model/questions/what-if-form.ts';

const read: readonly (readonly [name: string, form: Record<string, string>, changes: object])[] = [
  ['nothing', {}, {}],
  ['blanks', { allAges: ' ', failureThreshold: '' }, {}],
  ['a length', { allAges: '1m5s' }, { allAges: 65_000 }],
  ['seconds', { allAges: ' 31.5 ' }, { allAges: 31_500 }],
  ['ahead of the time', { allAges: '-4s' }, { allAges: -4_000 }],
  ['unreadable', { allAges: 'none' }, { allAges: null }],
  ['of one node', { 'age.a': '3s', 'age.b': '' }, { ages: new Map([['a', 3_000]]) }],
  ['a node of any name', { 'age.__proto__': '3s' }, { ages: new Map([['__proto__', 3_000]]) }],
  ['an answer', { answer: 'tooLarge' }, { answer: 'tooLarge' }],
  ['an answer of each path', { internal: 'answered', external: 'local' }, { internal: 'answered', external: 'local' }],
  ['a fraction', { nodeLeaseFailureFraction: '.25' }, { config: { nodeLeaseFailureFraction: 0.25 } }],
  ['a whole fraction', { nodeLeaseFailureFraction: '1' }, { config: { nodeLeaseFailureFraction: 1 } }],
  [
    'thresholds and lengths',
    {
      failureThreshold: '2',
      successThreshold: '3',
      kcmNodeMonitorGraceDuration: '2m',
      probeInterval: '5',
      internalProbeFailureBackOffDuration: '45s',
    },
    {
      config: {
        failureThreshold: 2,
        successThreshold: 3,
        kcmNodeMonitorGraceDuration: 120_000,
        probeInterval: 5_000,
        internalProbeFailureBackOffDuration: 45_000,
      },
    },
  ],
];

test.each(read)('9.7 a form is read: %s', (_, form, changes) => {
  expect(readForm(form)).toEqual({ ok: true, changes });
});

const fraction = 'Write a number above 0, at most 1, such as 0.6.';
const refused: readonly (readonly [form: Record<string, string>, field: string, sentence: string])[] = [
  [
    { allAges: 'old' },
    'allAges',
    'age of all leases: "old" cannot be used. Write a length such as 31s or 1m5s, at most ten years, or none where it cannot be read.',
  ],
  [{ allAges: '100000h' }, 'allAges', 'at most ten years'],
  [{ 'age.a': '3 s' }, 'age.a', 'age of a: "3 s" cannot be used.'],
  [{ answer: 'silence' }, 'answer', 'Choose one of answered, unreachable, timeout'],
  [{ nodeLeaseFailureFraction: '0' }, 'nodeLeaseFailureFraction', fraction],
  [{ nodeLeaseFailureFraction: '1.01' }, 'nodeLeaseFailureFraction', fraction],
  [{ nodeLeaseFailureFraction: '60%' }, 'nodeLeaseFailureFraction', fraction],
  [{ nodeLeaseFailureFraction: '1e-3' }, 'nodeLeaseFailureFraction', fraction],
  [{ failureThreshold: '0' }, 'failureThreshold', 'Write a whole number, 1 to 1000000.'],
  [{ successThreshold: '1.5' }, 'successThreshold', 'Write a whole number, 1 to 1000000.'],
  [{ failureThreshold: '1000001' }, 'failureThreshold', 'Write a whole number, 1 to 1000000.'],
  [{ kcmNodeMonitorGraceDuration: '0s' }, 'kcmNodeMonitorGraceDuration', 'Write a length above 0'],
  [{ probeInterval: '-5s' }, 'probeInterval', 'Write a length above 0'],
];

test.each(refused)(
  '9.7 a form that cannot be used is refused with its field and what to write: %j',
  (form, field, sentence) => {
    const told = readForm(form);
    expect(told).toMatchObject({ ok: false, refused: [{ field, sentence: expect.stringContaining(sentence) }] });
  },
);

test('9.7 all that is wrong with a form is told at once', () => {
  const told = readForm({ allAges: 'x', answer: 'y', failureThreshold: 'z' });
  expect(told.ok ? [] : told.refused.map(({ field }) => field)).toEqual(['allAges', 'answer', 'failureThreshold']);
});

test('9.7 whatever is pasted into a form, each refusal is one line that says what to do', () => {
  const text = fc.oneof(fc.string(), fc.constant('9'.repeat(400)), fc.constant('a\nb'));
  fc.assert(
    fc.property(text, text, text, text, (allAges, age, answer, value) => {
      const told = readForm({
        allAges,
        'age.a': age,
        answer,
        internal: answer,
        external: value,
        failureThreshold: value,
      });
      for (const { sentence } of told.ok ? [] : told.refused) expect(sentence).toMatch(/^[^\n]{1,250}[^.]\.$/);
    }),
    { seed: 7 },
  );
});

const config = { nodeLeaseFailureFraction: '0.4', failureThreshold: '2' };
const answers = { allAges: '31s', answer: 'answered', internal: 'timeout', external: 'answered' };
const form = { ...answers, ...config, 'age.node-a': '5s', 'age.a&b=c #%': 'none' };

test('9.7 a link asks the same question again', () => {
  const asked: LinkedQuestion = { question: 'whatIf', form };
  const query = questionQuery(asked);
  expect(query).toBe(
    'ask=whatIf&allAges=31s&answer=answered&internal=timeout&external=answered&nodeLeaseFailureFraction=0.4&failureThreshold=2&age.node-a=5s&age.a%26b%3Dc+%23%25=none',
  );
  expect(readQuestion(`#/shoots/shoot--dev--one?turn=a.1&at=x&${query}`)).toEqual(asked);
  expect(questionQuery({ question: 'up', form })).toBe('ask=up');
  expect(Object.keys(form).filter((name) => !isOfTurn(name))).toEqual(Object.keys(config));
  expect(questionFields({ question: 'whatIf', form: { allAges: '1m' } })).toMatchObject({
    ask: 'whatIf',
    allAges: '1m',
    failureThreshold: '',
  });
});

test.each(['', '#/shoots/a', '#/shoots/a?ask=why', '#/shoots/a?turn=x.1&ask='])(
  '9.7 an address that asks nothing (%j) asks the first question',
  (hash) => {
    expect(readQuestion(hash)).toEqual({ question: 'down', form: {} });
  },
);

test('9.7 a link of whatever node and text is read as it was written, and holds no more than 50 leases', () => {
  const text = fc.string({ minLength: 1 }).map((one) => `x${one.trim()}x`);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), text), { maxLength: 60 }), (ages) => {
      const form = Object.fromEntries(ages.map(([node, text]) => [`age.${node}`, text]));
      const read = readQuestion(`#/shoots/a?${questionQuery({ question: 'whatIf', form })}`);
      expect(Object.entries(read.form)).toEqual(Object.entries(form).slice(0, 50));
    }),
    { seed: 7 },
  );
});
