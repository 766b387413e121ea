import { writePath, type ConfigReading } from '../../src/domain/config/config-remark.ts';

/** The result of reading a configuration, with its paths as an operator reads them. */
export function plainReading<Config>(result: ConfigReading<Config>) {
  const problems = result.ok ? [] : result.problems;
  return {
    config: result.ok ? result.config : undefined,
    defaults: result.ok ? result.defaults.map(writePath) : [],
    problems: problems.map(({ path, found, wanted }) => [writePath(path), found, wanted]),
    places: problems.map(({ path }) => writePath(path)),
    warnings: result.warnings.map(({ path, text }) => `${writePath(path)} ${text}`),
  };
}
