import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ErrorResponder } from '../platform/error-responder.service.js';

/** Answers whatever an RPC route throws as the flat error body of the RPC style. Bound to this module's controllers only. */
@Catch()
export class RpcExceptionFilter implements ExceptionFilter {
  constructor(private readonly responder: ErrorResponder) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.responder.respond(error, 'rpc', host.switchToHttp().getResponse());
  }
}
