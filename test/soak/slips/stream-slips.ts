import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** What the program sees of the seed: streams and reflector. */
export const streamSlips: readonly SoakSlip[] = [
  ofMutants('streams', 'what a list lacks is not gone'),
  ofMutants('streams', 'of a list only its last page is kept'),
  ofMutants(
    'streams',
    'a list that hangs leaves the stream blind and live',
    'a request that hangs has failed after 10 s, and then the stream is out all the same',
  ),
  ofMutants(
    'streams',
    'a version that the seed cannot make sense of holds the stream for ever',
    'the simulated API server makes sense of every version that it has given',
  ),
  ofMutants('streams', 'a server that drops each watch at once is asked in a tight loop'),
  ofMutants('streams', 'a list whose pages always expire is asked for without a pause'),
  ofMutants('streams', 'a server may silence a stream for hours'),
  ofMutants(
    'restored seeds',
    'that the seed went back is known to one stream alone',
    'each other stream finds out by itself: a watch that was cut asks where the seed stands, and one that says nothing is given up after 90 s',
  ),
  ofMutants(
    'streams',
    'a dependant that went while the watch was out stays',
    'the next write of it is answered with 404, and it counts as missing from then on',
  ),
  ofMutants(
    'streams',
    'a watch that does not tell of our own write is relied upon',
    'a flow waits for what is silent until its time-out, and a watch that says nothing is opened anew after 90 s',
  ),
  ofMutants('streams', 'shoots are guarded before the first lists are in'),
  ofMutants('streams', 'each heartbeat of a shoot is an event'),
  {
    file: 'src/adapters/reflector/stream-state.ts',
    find: "return why === 'expired' || why === 'garbled'",
    put: "return why === 'garbled'",
    says: 'after a 410 a stream watches from the same version again',
    explained: 'a stream that fails four times in a row lists anyway, some seconds later',
  },
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: 'const inactivity: Millis = 90_000;',
    put: 'const inactivity: Millis = 90_000_000;',
    says: 'a watch that stopped without a word is waited for all day',
  },
  {
    file: 'src/adapters/reflector/stream-state.ts',
    find: "return { ...state, openedAt: state.openedAt ?? fact.at, trust: 'live' };",
    put: 'return { ...state, openedAt: state.openedAt ?? fact.at };',
    says: 'a stream that was out once is never live again',
  },
  {
    file: 'src/adapters/reflector/object-store.ts',
    find: "if (type === 'deleted' || !selects(object)) {\n        objects.delete(key);",
    put: "if (type === 'deleted' || !selects(object)) {",
    says: 'an object whose deletion a watch told is still believed to be there',
  },
];
