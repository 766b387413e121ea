import * as z from 'zod';
import { durationAbove0, mappingOf } from './config-fields.ts';
import { writtenLabelSelector } from './written-label-selector.ts';

/** Services are named by DNS-1035 labels, and in newer Kubernetes by DNS-1123 ones, which may begin with a digit. */
const serviceName = {
  pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$',
  wanted:
    'the name of a service: lower-case letters, digits and "-", at most 63 of them, a letter or digit first and last',
};

const atLeastOneSelector = 'a list of at least one label selector';
const atLeastOneService = 'a mapping of at least one service to its podSelectors';

const dependantSelectors = z.strictObject(
  {
    podSelectors: z
      .array(writtenLabelSelector, { error: atLeastOneSelector })
      .min(1, { error: atLeastOneSelector })
      .describe('Pods that any of these label selectors selects depend on the service.'),
  },
  { error: 'a mapping with podSelectors' },
);

/** What the operator writes for the weeder (SPEC 7); keys spelt as here, none unknown, durations in Go's notation. */
export const writtenWeederConfig = z
  .strictObject(
    {
      watchDuration: durationAbove0
        .prefault('5m0s')
        .describe('For how long dependants are looked after once their service is available again.'),
      servicesAndDependantSelectors: mappingOf(serviceName, dependantSelectors, atLeastOneService)
        .refine((services) => Object.keys(services).length > 0, { error: atLeastOneService })
        .meta({ minProperties: 1, description: "Services of the shoots' control planes, and who depends on them." }),
    },
    { error: 'a mapping with at least servicesAndDependantSelectors' },
  )
  .meta({ title: "Configuration of dependency-watchdog's weeder" });
