/*
 * Whether a quantity of a process grows: the line of least squares through the samples of the second half, in which caches are full.
 */

/** How much a quantity may grow in the second half, as a share of its mean there. Latency depends on what else the machine does. */
export const TOLERANCES = { rss: 0.1, heap: 0.05, external: 0.1, handles: 0.05, connections: 0.05, prepared: 0.05, latency: 0.5 };

/** A quantity whose mean is less is compared as if it had this mean: one handle more than two is no leak. */
const LEAST_MEAN = { rss: 1, heap: 1, external: 1, handles: 40, connections: 20, prepared: 20, latency: 2 };

/**
 * Returns the slope of the line of least squares, and its standard error.
 *
 * @param {readonly { readonly at: number, readonly value: number }[]} points at least three, at different times
 */
export function trendOf(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(points.map((point) => point.at));
  const value = mean(points.map((point) => point.value));
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
  const slope = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread;
  const residues = points.reduce((sum, point) => sum + (point.value - value - slope * (point.at - at)) ** 2, 0);
  return { mean: value, slope, error: Math.sqrt(residues / (points.length - 2) / spread) };
}

/**
 * Judges one quantity. It grows too much if the lower end of the slope (two standard errors below) is over the tolerance, so that noise alone is no
 * finding.
 *
 * @param {keyof typeof TOLERANCES} name
 * @param {readonly { readonly at: number, readonly value: number }[]} points of the whole run
 */
export function judge(name, points) {
  const last = points.at(-1)?.at ?? 0;
  const half = points.filter(({ at }) => at >= last / 2);
  if (half.length < 5) throw new RangeError(`There are ${half.length} samples of '${name}' in the second half: too few to judge.`);
  const { mean, slope, error } = trendOf(half);
  const length = last - half[0].at;
  const base = Math.max(mean, LEAST_MEAN[name]);
  const first = points.filter(({ at }) => at < last / 2).map(({ value }) => value);
  return {
    name,
    before: first.reduce((sum, value) => sum + value, 0) / first.length,
    mean,
    growth: (slope * length) / base,
    uncertainty: (2 * error * length) / base,
    tolerance: TOLERANCES[name],
    isTooMuch: ((slope - 2 * error) * length) / base > TOLERANCES[name],
  };
}
