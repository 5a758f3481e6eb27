import type { LoggerService } from '@nestjs/common';

/** A line of the log. Nest passes the stack of an error, and the name of the logger, after the text. */
export interface LogLine {
  readonly level: 'log' | 'warn' | 'error';
  readonly text: string;
  readonly details: readonly unknown[];
}

/** A logger that collects the lines of three levels, and prints nothing. */
export class LogLines implements LoggerService {
  readonly all: LogLine[] = [];

  log(text: string, ...details: readonly unknown[]): void {
    this.all.push({ level: 'log', text, details });
  }

  warn(text: string, ...details: readonly unknown[]): void {
    this.all.push({ level: 'warn', text, details });
  }

  error(text: string, ...details: readonly unknown[]): void {
    this.all.push({ level: 'error', text, details });
  }

  get logs(): readonly string[] {
    return this.textsOf('log');
  }

  get warnings(): readonly string[] {
    return this.textsOf('warn');
  }

  get errors(): readonly string[] {
    return this.textsOf('error');
  }

  clear(): void {
    this.all.length = 0;
  }

  private textsOf(level: LogLine['level']): readonly string[] {
    return this.all.flatMap((line) => (line.level === level ? [line.text] : []));
  }
}
