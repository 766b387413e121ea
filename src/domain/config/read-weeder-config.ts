import * as z from 'zod';
import { durationAbove0, mappingOf } from './config-fields.ts';
import { writtenLabelSelector, selectorText, type LabelSelector } from './label-selector.ts';
import type { WeededService, WeederConfig } from '../weeder/weeder-config.ts';
import type { ConfigReading, ConfigWarning, KeyPath } from './config-remark.ts';
import { misplacedConfig } from './misplaced-config.ts';
import { readWritten } from './read-written.ts';

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

/**
 * Reads the weeder's configuration out of what a YAML parser made of the operator's text (SPEC 7): the default filled
 * in and the selectors in the API server's words, or every problem at once. `strict` as in SPEC 2.1.
 */
export function readWeederConfig(written: unknown, { strict = false } = {}): ConfigReading<WeederConfig> {
  const misplaced = misplacedConfig(written, 'weeder');
  if (misplaced !== undefined) return { ok: false, problems: [misplaced], warnings: [] };
  const { config, problems, warnings, defaults } = readWritten(writtenWeederConfig, written, { strict });
  if (config === undefined || problems.length > 0) return { ok: false, problems, warnings };

  const services = Object.entries(config.servicesAndDependantSelectors).map(([name, { podSelectors }]) =>
    serviceReading(name, podSelectors),
  );
  return {
    ok: true,
    config: { watchDuration: config.watchDuration, services: services.map(({ service }) => service) },
    warnings: [...warnings, ...services.flatMap(({ warnings }) => warnings)],
    defaults,
  };
}

const everyPod = "selects every pod in the service's namespace, whether it depends on the service or not";

type ServiceReading = Readonly<{ service: WeededService; warnings: readonly ConfigWarning[] }>;

function serviceReading(name: string, selectors: readonly LabelSelector[]): ServiceReading {
  const texts = selectors.map(selectorText);
  const warnings = texts.flatMap((text, index): ConfigWarning[] => {
    const podSelectors: KeyPath = ['servicesAndDependantSelectors', name, 'podSelectors'];
    const path = [...podSelectors, index];
    const first = texts.indexOf(text);
    if (first < index) return [{ path, text: `says the same as podSelectors[${first}], and is taken once` }];
    return text === '' ? [{ path, text: everyPod }] : [];
  });
  return { service: { name, podSelectors: [...new Set(texts)] }, warnings };
}
