# cmake -DNAME=… -DOUTPUT=… -DFILES="a;b" -P digest.cmake: writes a header that
# defines NAME as the SHA-256 of the files, in their order.
set(all "")
foreach(file ${FILES})
  file(SHA256 ${file} digest)
  string(APPEND all ${digest})
endforeach()
string(SHA256 digest "${all}")
file(WRITE ${OUTPUT} "#define ${NAME} \"${digest}\"\n")
