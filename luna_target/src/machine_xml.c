#include "machine_xml.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

#include "luna/machine.h"
#include "luna/text.h"

// The first error of libxml2 for a document.
typedef struct Complaint {
  const char *label;
  LunaError *error;
  bool is_set;
} Complaint;

static void complain(Complaint *complaint, int line, const char *message) {
  if (complaint->is_set)
    return;
  complaint->is_set = true;
  size_t length = strlen(message);
  while (length > 0 && strchr(".\n ", message[length - 1]))
    --length;
  luna_error_set(complaint->error, LUNA_ERROR_SETUP,
                 line > 0 ? (uint64_t)line : LUNA_ERROR_NO_ITEM,
                 "%s:%d: %c%.*s", complaint->label, line,
                 length > 0 ? tolower((unsigned char)message[0]) : ' ',
                 length > 0 ? (int)length - 1 : 0, message + (length > 0));
}

// libxml2 2.12 makes the error const; a cast serves both.
static void on_xml_error(void *context, xmlError *error) {
  complain(context, error->line,
           error->message ? error->message : "malformed XML");
}

// A machine file has no document type: refuses entities.
static void refuse_document_type(void *context, const xmlChar *name,
                                 const xmlChar *external_id,
                                 const xmlChar *system_id) {
  (void)name, (void)external_id, (void)system_id;
  xmlParserCtxt *parser = context;
  complain(parser->_private, xmlSAX2GetLineNumber(parser),
           "document type declarations are not allowed");
  xmlStopParser(parser);
}

static xmlDoc *parse(const char *text, size_t length, Complaint *complaint) {
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (!parser)
    return NULL;
  parser->_private = complaint;
  parser->sax->internalSubset = refuse_document_type;
  // Errors of encodings go to the thread's handler, whatever the parser's.
  xmlStructuredErrorFunc outer_handler = xmlStructuredError;
  void *outer_context = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(complaint, (xmlStructuredErrorFunc)on_xml_error);
  xmlDoc *document =
      xmlCtxtReadMemory(parser, text, (int)length, NULL, NULL,
                        XML_PARSE_NONET | XML_PARSE_NOERROR |
                            XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
  xmlSetStructuredErrorFunc(outer_context, outer_handler);
  if (!document || complaint->is_set) {
    xmlError *last = xmlCtxtGetLastError(parser);
    complain(complaint, last ? last->line : 0,
             last && last->message ? last->message : "malformed XML");
    xmlFreeDoc(document);
    document = NULL;
  }
  xmlFreeParserCtxt(parser);
  return document;
}

// Returns the next element in document order below `root`, NULL at the end.
static xmlNode *next_node(xmlNode *node, const xmlNode *root) {
  if (node->children)
    return node->children;
  while (node != root && !node->next)
    node = node->parent;
  return node == root ? NULL : node->next;
}

// A machine file has no namespaces: with them an xsi:schemaLocation could make
// the validator load files or reach the network.
static bool refuse_namespaces(xmlDoc *document, Complaint *complaint) {
  xmlNode *root = xmlDocGetRootElement(document);
  for (xmlNode *node = root; node; node = next_node(node, root))
    if (node->type == XML_ELEMENT_NODE && node->nsDef) {
      complain(complaint, (int)xmlGetLineNo(node),
               "namespaces are not allowed");
      return false;
    }
  return true;
}

static xmlSchema *read_schema(const char *machines_dir, LunaError *error) {
  LunaText path = {0}, text = {0};
  luna_text_printf(&path, "%s/machine.xsd", machines_dir);
  xmlSchema *schema = NULL;
  xmlDoc *document = NULL;
  Complaint complaint = {.label = path.data, .error = error};
  if (!luna_text_read_file(&text, path.data, LUNA_MACHINE_FILE_LIMIT_BYTES,
                           error)) {
    error->code = LUNA_ERROR_SETUP;
  } else if ((document =
                  parse(text.data ? text.data : "", text.length, &complaint))) {
    xmlSchemaParserCtxt *parser = xmlSchemaNewDocParserCtxt(document);
    xmlSchemaSetParserStructuredErrors(
        parser, (xmlStructuredErrorFunc)on_xml_error, &complaint);
    schema = xmlSchemaParse(parser);
    if (!schema)
      complain(&complaint, 0, "not a schema");
    xmlSchemaFreeParserCtxt(parser);
  }
  // The schema keeps what it needs of the document.
  xmlFreeDoc(document);
  luna_text_deinit(&text);
  luna_text_deinit(&path);
  return schema;
}

static bool validate(xmlDoc *document, xmlSchema *schema,
                     Complaint *complaint) {
  xmlSchemaValidCtxt *validator = xmlSchemaNewValidCtxt(schema);
  xmlSchemaSetValidStructuredErrors(
      validator, (xmlStructuredErrorFunc)on_xml_error, complaint);
  bool is_valid = xmlSchemaValidateDoc(validator, document) == 0;
  if (!is_valid)
    complain(complaint, 0, "does not match the schema");
  xmlSchemaFreeValidCtxt(validator);
  return is_valid;
}

xmlDoc *luna_machine_xml_read(const char *text, size_t length,
                              const char *label, const char *machines_dir,
                              LunaError *error) {
  LunaError unused = {0};
  Complaint complaint = {.label = label, .error = error ? error : &unused};
  if (length > LUNA_MACHINE_FILE_LIMIT_BYTES) {
    complain(&complaint, 0, "larger than the 1 MiB allowed");
    return NULL;
  }
  xmlSchema *schema = read_schema(machines_dir, complaint.error);
  if (!schema)
    return NULL;
  xmlDoc *document = parse(text, length, &complaint);
  if (document && !(refuse_namespaces(document, &complaint) &&
                    validate(document, schema, &complaint))) {
    xmlFreeDoc(document);
    document = NULL;
  }
  xmlSchemaFree(schema);
  return document;
}
