import type * as OpenTelemetry from '@opentelemetry/api';
import { memberOf } from '../errors/member-of.js';
import { OpenTelemetryTelemetry } from './open-telemetry.js';
import type { Telemetry } from './telemetry.js';

/** Loads `@opentelemetry/api`. Called once at boot. Returns null if it is not installed. */
export async function loadTelemetry(): Promise<Telemetry | null> {
  const api = await loadApi();
  return api && new OpenTelemetryTelemetry(api);
}

async function loadApi(): Promise<typeof OpenTelemetry | null> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    if (String(memberOf(error, 'code')).endsWith('MODULE_NOT_FOUND')) return null;
    throw error;
  }
}
