import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

/** Redirects a browser that opens the sample to its documentation. */
@ApiExcludeController()
@Controller()
export class DocsController {
  @Get()
  @Redirect('/docs')
  show(): void {
    // The decorator answers.
  }
}
