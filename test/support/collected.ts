import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { settled } from './virtual-clock.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Whether nobody holds on to what `make` gave, once it is over; whoever still did would hold on to each of the thousands that follow. */
export async function isLetGo(make: () => Promise<object> | object): Promise<boolean> {
  const kept = new WeakRef(await make());
  // What was looked at in this turn of the event loop lives until its end.
  for (let turns = 0; turns < 3; turns++) {
    await settled();
    collectGarbage();
  }
  return kept.deref() === undefined;
}
