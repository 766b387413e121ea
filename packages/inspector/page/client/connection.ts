import type { Instant } from 'dependency-watchdog/domain/time.ts';

/** How the page stands to its server. */
export type Connection =
  | Readonly<{ state: 'connecting' }>
  | Readonly<{ state: 'open' }>
  /** Files were read, and nothing more will come. */
  | Readonly<{ state: 'complete' }>
  | LostConnection;

/** `since`: by this browser's clock. `because`: what the server said; null where nothing answered. */
export type LostConnection = Readonly<{ state: 'lost'; since: Instant; tries: number; because: string | null }>;

/** One more try came to nothing. */
export function connectionLost(before: Connection, at: Instant): LostConnection {
  return before.state === 'lost'
    ? { ...before, tries: before.tries + 1 }
    : { state: 'lost', since: at, tries: 1, because: null };
}

/** In words. `since`: a time that can be read aloud. */
export function connectionWords(connection: Connection, since: string): string {
  switch (connection.state) {
    case 'connecting':
      return 'connecting';
    case 'open':
      return 'live';
    case 'complete':
      return 'from files';
    case 'lost':
      return `connection lost since ${since}, trying again`;
  }
}

/** Where the server answers to plain questions, and only its stream does not come. */
export const noStream = 'no stream of what happens';

/** What somebody can do about a lost connection. */
export function lostRemedy(because: string | null): string {
  if (because === noStream)
    return 'The server answers, but with no stream of what happens: too many pages may be open. All is asked for again and again, so this may be some seconds old. Close another page.';
  const answer =
    because === null
      ? 'Nothing answers at this address. Does the program still run, and kubectl port-forward with it?'
      : `The server answers, but not with what was asked: ${because}`;
  return `${answer} What is shown is from before.`;
}
