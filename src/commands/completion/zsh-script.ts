import type { Completed, CompletedCommand } from './completed-commands.ts';

export function zshScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, flags, operand }) => {
    const all = [
      ...flags.flatMap((flag) => flag.names.map((one) => specOf(one, flag))),
      ...(operand === 'nothing'
        ? []
        : [quoted(`*:${typeof operand === 'object' ? 'word' : operand}:${action(operand)}`)]),
    ];
    return `    ${name}) _arguments ${all.join(' ')} ;;`;
  });
  return [
    '#compdef dependency-watchdog',
    '# zsh completion of dependency-watchdog; to load it: source <(dependency-watchdog completion zsh)',
    '_dependency_watchdog() {',
    '  if ((CURRENT == 2)); then',
    '    local -a commands',
    `    commands=(${commands.map(({ name, summary }) => quoted(`${name}:${escaped(summary)}`)).join(' ')})`,
    '    _describe command commands',
    '    return',
    '  fi',
    '  shift words',
    '  ((CURRENT--))',
    '  case $words[1] in',
    ...cases,
    '  esac',
    '}',
    'compdef _dependency_watchdog dependency-watchdog',
  ].join('\n');
}

function specOf(name: string, { help, value, valueName }: CompletedCommand['flags'][number]): string {
  const words = `[${escaped(help)}]`;
  if (value === 'nothing') return quoted(`${name}${words}`);
  return quoted(`${name}${name.startsWith('--') ? '=' : '+'}${words}:${valueName}:${action(value)}`);
}

function action(value: Completed): string {
  if (typeof value === 'object') return `(${value.join(' ')})`;
  return { nothing: ' ', text: ' ', files: '_files', directories: '_files -/' }[value];
}

/** A colon and brackets divide the parts of a specification. */
function escaped(text: string): string {
  return text.replaceAll(/[:[\]\\]/g, String.raw`\$&`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
