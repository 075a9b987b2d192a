// Loaded by LD_AUDIT: says on stderr which functions somebody looks up with dlsym.
#include <cstdio>
#include <link.h>
#include <unistd.h>

extern "C" {

unsigned la_version(unsigned version) { return version; }

unsigned la_objopen(link_map* /*object*/, Lmid_t /*space*/, uintptr_t* /*cookie*/) {
  return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym* symbol, unsigned /*index*/, uintptr_t* /*from*/, uintptr_t* /*to*/,
                       unsigned* flags, const char* name) {
  if ((*flags & LA_SYMB_DLSYM) != 0) dprintf(STDERR_FILENO, "dlsym %s\n", name);
  return symbol->st_value;
}
}
