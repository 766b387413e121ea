import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Sends an order to a process that we forked, and waits for its answer. One order at a time. */
export async function ask<Answer>(child: ChildProcess, order: object): Promise<Answer> {
  const ended = new AbortController();
  const gone = (): void => ended.abort(new Error(`${child.spawnargs.at(-1)} has ended`));
  child.once('exit', gone);
  child.send(order);
  const [answer] = (await once(child, 'message', { signal: ended.signal })) as [Answer];
  child.off('exit', gone);
  return answer;
}
