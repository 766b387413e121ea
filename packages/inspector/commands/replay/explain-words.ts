import { turnWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import { instantText, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { AskedGuard, ContextValue, Explanation, Fact, JudgedLease } from '../../model/explanation/explanation.ts';
import { ruleWords } from '../../model/explanation/rules.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';

/** What a turn was decided by, for people: as the page of the inspector shows it. */
export function explainedLines<Kind extends keyof Languages>(
  _kind: Kind,
  { turn, replayed, gap }: ReplayedTurn<Languages[Kind]>,
  {
    guards,
    decidedBy,
    taken,
    decision,
    leases,
    leasesLeftOut,
    changes,
    changesLeftOut,
    missing,
  }: Explanation<Languages[Kind]>,
  place: string,
): readonly string[] {
  const { at, seq, subject, from, to } = turn;
  const said = turnWords(turn);
  const agreement: Readonly<Record<typeof replayed.outcome, string>> = {
    same: 'a replay comes to the same',
    differs: 'a replay comes to something else: without --explain, replay shows what',
    'after difference': 'not replayed, since an earlier event of it comes out otherwise',
    'no beginning': 'not replayed, since nothing tells where it began',
    'not taken': 'nothing to replay',
  };
  return [
    `${instantText(at)}  ${subject}  ${said.event}`,
    `    ${from === undefined || from === to ? '' : `${from} → `}${to}; event ${seq}, ${place}; ${agreement[replayed.outcome]}`,
    ...(gap ? ['    Events of it are missing before this one.'] : []),
    ...(missing === undefined ? [] : [`    ${missing}`]),
    ...decidedBy.map((index) => `    because: ${guards[index]?.question} Yes.`),
    ...block('Guards, in the order in which they were asked', guards.flatMap(guardLines)),
    ...block(
      'Transitions taken',
      taken.map(
        (one) =>
          `${one.state} ${one.event === '' ? 'at once' : `on ${one.event}`}${one.to === undefined ? '' : ` → ${one.to}`}`,
      ),
    ),
    ...block('Commands', said.commands),
    ...block('Notes', said.notes),
    ...block('What was judged', decision.map(factText)),
    ...block('Leases, the longest silent first', [...leases.map(leaseText), ...more(leasesLeftOut)]),
    ...block('What the machine remembers, before → after', [
      ...changes.map(({ path, before, after }) => `${path}: ${valueText(before)} → ${valueText(after)}`),
      ...more(changesLeftOut),
    ]),
  ];
}

/** The same for programs, on one line. */
export function explainedJson<Kind extends keyof Languages>(
  kind: Kind,
  { turn, replayed, gap, before, after }: ReplayedTurn<Languages[Kind]>,
  explanation: Explanation<Languages[Kind]>,
  place: string,
): readonly string[] {
  const says = turnWords(turn);
  const time = instantText(turn.at);
  return [
    JSON.stringify({ kind, time, place, says, turn, replayed, gap, explained: { ...explanation, before, after } }),
  ];
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `    ${line}`)];
}

function guardLines({ answer, question, guard, state, to, rules, saw }: AskedGuard): readonly string[] {
  return [
    `${answer ? 'YES' : 'no '}  ${question}${answer && to !== undefined ? ` → ${to}` : ''}`,
    `     ${guard} in ${state}; rule ${rules.map(ruleWords).join('; ')}`,
    ...saw.map((one) => `     - ${factText(one)}`),
  ];
}

function factText({ name, value, at }: Fact): string {
  return `${name}: ${at === undefined ? '' : `${instantText(at)}, `}${value}`;
}

function leaseText({ node, silent, expired, counts, because }: JudgedLease): string {
  const age = silent === null ? 'nobody knows since when' : `silent for ${seconds(silent)}`;
  return `${node}: ${age}${expired ? ', expired' : ''}${counts ? '' : `; does not count: ${because}`}`;
}

function valueText({ text, at }: ContextValue): string {
  return at === undefined ? text : instantText(at);
}

function more(count: number): readonly string[] {
  return count === 0 ? [] : [`… and ${count} more`];
}
