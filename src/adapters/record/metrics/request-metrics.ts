import type { MetricList } from './metric.ts';

/** Those of client-go, so that a dashboard may lay its controllers and us side by side. */
const clientSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** What the program asks of the seed and of shoots, and what it is answered. */
export const requestMetrics = {
  seedRequests: {
    name: 'dwd_seed_api_requests_total',
    kind: 'counter',
    labels: ['verb', 'resource', 'code'],
    help: 'Requests to the seed.',
    more: '`code` is the status, or a word if no answer came.',
  },
  restRequests: {
    name: 'rest_client_requests_total',
    kind: 'counter',
    labels: ['code', 'method', 'host'],
    help: "The same requests, under client-go's name, for dashboards that know it.",
    more: '`code` is `<error>` if no answer came; `host` is that of the seed.',
    unused: '`dwd_seed_api_requests_total` tells the resource too.',
  },
  restDuration: {
    name: 'rest_client_request_duration_seconds',
    kind: 'histogram',
    labels: ['verb', 'host'],
    buckets: clientSeconds,
    help: "How long they took, under client-go's name: from sending to the last byte, for a watch until it was open.",
    more: '`verb` is the method. The time for which a request waited for our own rate limit is not part of it.',
  },
  shootRequests: {
    name: 'dwd_shoot_api_requests_total',
    kind: 'counter',
    labels: ['code'],
    role: 'prober',
    help: 'Requests to the API servers of shoots.',
    more: '`code` is the status (`other` for one that HTTP does not know), or a word if no answer came.',
  },
  throttledRequests: {
    name: 'dwd_throttled_requests_total',
    kind: 'counter',
    labels: ['target'],
    help: 'Requests that got the answer 429.',
    more: '`target` is the server that answered: `seed`, `shoot`.',
  },
  heldRequests: {
    name: 'dwd_seed_requests_held_total',
    kind: 'counter',
    labels: ['by', 'lane'],
    help: "Requests to the seed that the program's own limits held.",
    more: "`rate`: they waited for their turn. `queue`: they were refused, since 10,000 waited in their lane already. The lane `normal` has `--kube-api-qps` and `--kube-api-burst`; `urgent`, for scale-downs and the weeder's requests for pods, has 25 times as much; `healing`, for scale-ups (prober), 5 times as much, after the urgent ones.",
  },
  slowedScaleUps: {
    name: 'dwd_scale_ups_slowed_total',
    kind: 'counter',
    role: 'prober',
    help: 'Times that the rate of scale-ups was halved, since the seed answered 429.',
  },
  watchOut: {
    name: 'dwd_watch_out_seconds',
    kind: 'gauge',
    labels: ['resource'],
    help: 'For how long a watch on the seed has not shown the present state, from the start of the process on; 0 while it does.',
    more: "`resource` names the watch: `clusters`, `secrets/NAME`, `deployments/NAME` and so on in the prober, `endpointslices` and `pods` in the weeder, and `endpoints` while it watches those instead (an older Gardener's grants). For `pods` and `endpoints`, which have many watches, it is the longest time. The log says why, each minute.",
  },
  watchRefused: {
    name: 'dwd_watch_refused',
    kind: 'gauge',
    labels: ['resource'],
    help: 'Always 1, for a watch that the seed does not grant us, or of a kind that it does not serve (403, 404).',
    more: 'A dependant that may not be watched is read by itself where that is granted.',
  },
  watchRestarts: {
    name: 'dwd_watch_restarts_total',
    kind: 'counter',
    labels: ['resource'],
    help: 'Watches on the seed that failed and had to be opened anew.',
    more: 'A watch that the server ends after its usual 5 to 10 minutes is not counted.',
  },
  objectsDropped: {
    name: 'dwd_watch_objects_dropped_total',
    kind: 'counter',
    labels: ['resource'],
    help: 'Objects that a watch left out, since it held as many as it may. Anything above 0 means that something is not looked after.',
  },
} as const satisfies MetricList;
