import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

/** Whoever opens the sample in a browser sees what there is. */
@ApiExcludeController()
@Controller()
export class DocsController {
  @Get()
  @Redirect('/docs')
  show(): void {
    // The decorator answers.
  }
}
