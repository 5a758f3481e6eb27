import type { Cost } from './cost.js';

/** An accumulator of the cost of one argument. */
export class Meter {
  private readonly spent = { terms: 0, joins: 0, depth: 0, values: 0 };

  terms(count: number): void {
    this.spent.terms += count;
  }

  joins(weight: number): void {
    this.spent.joins += weight;
  }

  values(count: number): void {
    this.spent.values += count;
  }

  /** Records an object at a nesting depth. */
  depth(depth: number): void {
    this.spent.depth = Math.max(this.spent.depth, depth);
  }

  total(): Cost {
    return { ...this.spent };
  }
}
