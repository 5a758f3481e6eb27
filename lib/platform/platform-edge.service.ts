import { Injectable } from '@nestjs/common';
import { ErrorResponder } from './error-responder.service.js';
import { BodyReader } from './body-reader.service.js';
import { MountPoints } from './mount-points.service.js';

/**
 * What each platform needs to serve this module's routes: which requests are ours, how a body is read, and how a fault that never
 * reached a controller is answered.
 */
@Injectable()
export class PlatformEdge {
  constructor(
    readonly mounts: MountPoints,
    readonly bodies: BodyReader,
    readonly responder: ErrorResponder,
  ) {}
}
