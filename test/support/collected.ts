import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { settled } from '@dwd/testing/virtual-clock.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Whether what `make` gave is garbage collected once it is over. Otherwise the thousands that follow would stay in memory as well. */
export async function isLetGo(make: () => Promise<object> | object): Promise<boolean> {
  const kept = new WeakRef(await make());
  // An object that was touched in this turn of the event loop lives until the turn's end.
  for (let turns = 0; turns < 3; turns++) {
    await settled();
    collectGarbage();
  }
  return kept.deref() === undefined;
}
