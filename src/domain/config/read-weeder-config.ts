import type { WeededService, WeederConfig } from '../weeder/weeder-config.ts';
import type { ConfigReading, ConfigWarning, KeyPath } from './config-remark.ts';
import { selectorText, type LabelSelector } from './label-selector.ts';
import { misplacedConfig } from './misplaced-config.ts';
import { readWritten } from './read-written.ts';
import { writtenWeederConfig } from './written-weeder-config.ts';

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
