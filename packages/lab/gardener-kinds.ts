/**
 * Prints the definitions of Gardener's kinds that the watchdog reads, for a cluster that has none: `npx node packages/lab/gardener-kinds.ts | kubectl apply -f -`.
 * Their schemas accept anything; Gardener's own stand in its repository.
 */
import process from 'node:process';
import { definitionOf, gardenerKinds } from './real/custom-kinds.ts';

const items = gardenerKinds.map(definitionOf);
// client-node's types spell it in JavaScript's way.
const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2).replaceAll(
  '"x_kubernetes_preserve_unknown_fields"',
  '"x-kubernetes-preserve-unknown-fields"',
);
process.stdout.write(`${text}\n`);
