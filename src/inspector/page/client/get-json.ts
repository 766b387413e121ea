import { after } from '../browser-clock.ts';

/** A server on this machine, or behind a port-forward, that says nothing for so long says nothing. */
const patience = 10_000;

/** Why an answer is none: the status and what the server said, or that nothing came. */
export class NoAnswer extends Error {
  readonly status: number | null;
  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/** The longest that is shown of a refusal; a page of somebody else's proxy may be long. */
const longestRefusal = 300;

/** Asks the inspector's server for one of its JSON pages (docs/inspector.md). Rejects with `NoAnswer`. */
export async function getJson<Answer>(path: string): Promise<Answer> {
  const patient = new AbortController();
  const cancel = after(patience, () => patient.abort());
  try {
    const answer = await fetch(path, { signal: patient.signal, cache: 'no-store' });
    if (answer.ok) return (await answer.json()) as Answer;
    const said = (await answer.text()).trim().slice(0, longestRefusal);
    throw new NoAnswer(`${answer.status}${said === '' ? '' : ` ${said}`}`, answer.status);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer('nothing answers', null, error);
  } finally {
    cancel();
  }
}
