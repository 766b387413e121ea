import { guardRules } from './guard-rules.ts';

const titles = {
  ...guardRules,
  '6.4': 'Down',
  '6.7': 'Hands off',
  '7.3': 'Which pods go',
  '9.1': 'Turns',
  '9.6': 'The journal, and replay',
  S2: 'Ignored means untouched',
  S4: 'Level order',
  S7: 'Two at least',
  S8: 'Pods',
} as const satisfies Readonly<Record<string, string>>;

/** A rule of docs/specification.md that may stand in the way of something. */
export type WhyNotRule = keyof typeof titles;

/** The headings of these rules: who reads a number at night need not look it up. */
export const whyNotRules: Readonly<Record<WhyNotRule, string>> = titles;
