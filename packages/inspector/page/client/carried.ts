import { NoAnswer } from './no-answer.ts';
import type { Carried, Turns } from '../../wire/wire.ts';

/** What a page in one file brings along, in place of a server; undefined for a page that has one. */
export const carried: Carried | undefined = readCarried();

function readCarried(): Carried | undefined {
  // Tests of what the page says run where there is no document.
  const { document } = globalThis as Readonly<{
    document?: { querySelector(selector: string): { textContent: string | null } | null };
  }>;
  const text = document?.querySelector('#carried')?.textContent;
  return text === undefined || text === null ? undefined : (JSON.parse(text) as Carried);
}

/** As the server would answer; of a machine's turns all until the time that is asked for, since only the first one carries where the machine stood. */
export function carriedAnswer(answers: Carried, path: string): unknown {
  const [pathname = '', query] = path.split('?', 2);
  const answer = Object.hasOwn(answers, pathname) ? answers[pathname] : undefined;
  if (answer === undefined) throw new NoAnswer(`404 this page holds nothing of ${pathname}`, 404);
  if (!pathname.endsWith('/turns')) return answer;
  const { turns, earlier } = answer as Turns;
  const until = Number(new URLSearchParams(query).get('until') ?? Infinity);
  const those = turns.filter(({ at }) => at <= until);
  return { turns: those, earlier, later: those.length < turns.length } satisfies Turns;
}
