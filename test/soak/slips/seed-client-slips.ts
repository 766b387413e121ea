import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** Requests to the seed: what is sent when, and what is given up. */
export const seedClientSlips: readonly SoakSlip[] = [
  ofMutants(
    'seed',
    'a write that was withdrawn while its connection came up is sent',
    'a connection in memory is up at once',
  ),
  ofMutants('seed', 'a leader that stood still beyond its deadline writes'),
  ofMutants(
    'seed',
    'a write in flight outlives the permission',
    'who loses the lead ends its machines, and each of them takes its own writes back',
  ),
  ofMutants(
    'seed',
    'what waits outlives the permission',
    'who loses the lead ends its machines, and each of them takes its own writes back',
  ),
  ofMutants('seed', 'nobody looks before a write is sent'),
  ofMutants(
    'seed',
    'each open watch holds a place among the requests in flight',
    'a prober has ten watches, and room for more',
  ),
  ofMutants('seed', 'a watch over a dead connection is waited for without end'),
  ofMutants('seed', 'each request leaves its time-out running'),
  ofMutants(
    'lanes',
    'who leaves twice makes room for two',
    'the requests of 20 shoots do not fill the places in flight',
  ),
  ofMutants(
    'lanes',
    'any number of requests is in flight',
    'the requests of 20 shoots do not fill the places in flight',
  ),
  ofMutants(
    'healing',
    'scale-ups start while scale-downs wait',
    'the scale-downs of 20 shoots do not wait for the rate limit',
  ),
  ofMutants('healing', 'a seed that asks us to wait is asked on'),
];
