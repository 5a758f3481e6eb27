export function hide(value: unknown): unknown;
export function reveal(value: unknown): unknown;
